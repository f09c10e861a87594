"""Writes the raw tables of the tutorial: products.csv, baskets.csv and checked.csv.

The shop is artificial. random.Random(1) draws everything, so the tables are the same for everybody."""
import csv
import random

draw = random.Random(1)
CATEGORIES = ["books", "garden", "kitchen", "office", "sports", "toys"]
PRODUCTS, BASKETS, CHECKED = 1200, 1500, 300


def pick(items):
    return items[int(draw.random() * len(items))]


words = {c: [f"{c[:2]}{n}" for n in range(40)] for c in CATEGORIES}
common = [f"w{n}" for n in range(80)]

products, by_category = [], {c: [] for c in CATEGORIES}
for number in range(PRODUCTS):
    category = pick(CATEGORIES)
    title = []
    for _ in range(6):
        chance = draw.random()
        title.append(pick(words[category] if chance < 0.25 else words[pick(CATEGORIES)] if chance < 0.45 else common))
    product = f"P{number:04}"
    products.append((product, category, " ".join(title)))
    by_category[category].append(product)

with open("products.csv", "w", newline="") as out:
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["product", "title"])
    rows.writerows((product, title) for product, _, title in products)

with open("baskets.csv", "w", newline="") as out:
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["basket", "product"])
    for basket in range(BASKETS):
        category = pick(CATEGORIES)
        for _ in range(2 + int(draw.random() * 3)):
            same = draw.random() < 0.75
            rows.writerow([basket, pick(by_category[category]) if same else pick(products)[0]])

with open("checked.csv", "w", newline="") as out:
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["product", "category"])
    order = sorted(products, key=lambda _: draw.random())
    rows.writerows(sorted((product, category) for product, category, _ in order[:CHECKED]))
