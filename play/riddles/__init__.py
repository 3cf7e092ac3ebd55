"""The riddle of the day: its content and proof, how riddles are made and stocked, and people's
answers.
"""
