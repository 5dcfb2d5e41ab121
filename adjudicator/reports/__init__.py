"""Make reports for people and machines from views, drawings, problems and visible events, never from a state.

Every ``…_text`` function returns text without a final newline that is safe to print on a terminal.
"""
