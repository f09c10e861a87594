"""Reads products.csv, baskets.csv and checked.csv and writes the folder shop/, which scrl reads."""
import collections
import csv
import itertools
import os

os.makedirs("shop", exist_ok=True)

# Features: one column per word of a title, value 1.
column = {}
with open("products.csv", newline="") as table, open("shop/features.svm", "w") as out:
    for row in csv.DictReader(table):
        columns = sorted({column.setdefault(word, len(column)) for word in row["title"].split()})
        print(row["product"], *(f"{c}:1" for c in columns), file=out)

# Edges: two products in one basket; the weight counts the baskets.
baskets = collections.defaultdict(set)
with open("baskets.csv", newline="") as table:
    for row in csv.DictReader(table):
        baskets[row["basket"]].add(row["product"])
together = collections.Counter(pair for products in baskets.values()
                               for pair in itertools.combinations(sorted(products), 2))
with open("shop/edges.csv", "w") as out:
    print("source,target,weight", file=out)
    for (a, b), count in sorted(together.items()):
        print(a, b, count, sep=",", file=out)

# Labels: the products that a person has checked.
with open("checked.csv", newline="") as table, open("shop/labels.csv", "w") as out:
    print("id,label", file=out)
    for row in csv.DictReader(table):
        print(row["product"], row["category"], sep=",", file=out)
