"""The Great Race: a race across a continent for 2 to 4 players, published by Pixie Games."""
