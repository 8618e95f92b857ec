"""Random samples of a run for human judges, as in the paper's evaluation (§4.1).

`populations` says what can be sampled, `sample_size` how many items are needed, `seeded_random`
which ones; `sampler` draws the sample. `answer_sheets` writes and reads the CSV that a judge fills
in, `html_form` makes the same sheet as a web page, `agreement` compares two judges.
"""
