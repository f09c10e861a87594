"""Reads a run folder and decides: which predictions are accepted, and which go to a person.

usage: shop_decide.py RUN LABELS"""
import csv
import sys

run, labels_file = sys.argv[1:]


def column(path, key, value):
    with open(path, newline="") as table:
        return {row[key]: row[value] for row in csv.DictReader(table)}


labels = column(labels_file, "id", "label")
part = column(f"{run}/split.csv", "id", "part")
with open(f"{run}/predictions.csv", newline="") as table:
    predicted = {row["id"]: (row["label"], float(row[row["label"]])) for row in csv.DictReader(table)}

test = [node for node, name in part.items() if name == "test"]
unlabelled = [node for node in predicted if node not in labels]
print("threshold   right on test nodes   unlabelled products accepted")
for threshold in (0.5, 0.7, 0.8, 0.9, 0.95):
    sure = [node for node in test if predicted[node][1] >= threshold]
    right = sum(predicted[node][0] == labels[node] for node in sure)
    accepted = sum(predicted[node][1] >= threshold for node in unlabelled)
    print(f"{threshold:<11} {f'{right} of {len(sure)}':<21} {accepted} of {len(unlabelled)}")

with open("accepted.csv", "w") as accepted, open("to_check.csv", "w") as to_check:
    for node in sorted(unlabelled, key=lambda node: predicted[node][1]):
        label, probability = predicted[node]
        print(node, label, f"{probability:.3f}", sep=",", file=accepted if probability >= 0.8 else to_check)
