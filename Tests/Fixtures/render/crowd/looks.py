"""Looks of people from a seed: bodies, skin, hair, and clothes that differ or are alike."""
import numpy as np
from clips import Look

ALIKE = .35                     # the share of people who wear the colours of the one before

# Linear RGB. Gyms see much black and grey.
SHIRTS = ((.02, .02, .025), (.65, .64, .62), (.22, .22, .23), (.50, .03, .04), (.03, .10, .40), (.06, .25, .10),
          (.60, .30, .04), (.30, .05, .28), (.10, .40, .45), (.68, .55, .12))
TROUSERS = ((.02, .02, .025), (.03, .04, .09), (.20, .20, .21), (.09, .09, .10), (.30, .06, .08), (.05, .12, .09))
SHOES = ((.7, .7, .72), (.04, .04, .04), (.5, .07, .05), (.1, .3, .6))
SKINS = (((.62, .40, .30), (.85, .0, .15)), ((.20, .10, .06), (.15, .8, .05)), ((.55, .35, .24), (.4, .0, .6)),
         ((.36, .20, .12), (.5, .3, .2)))
HAIRS = ((.015, .012, .01), (.10, .05, .025), (.30, .18, .07), (.05, .035, .03))


def looks(random, count):
    """Looks for this many people."""
    chosen = []
    for _ in range(count):
        male = float(random.random() < .5)
        skin, ancestry = SKINS[random.integers(len(SKINS))]
        clothes = dict(
            shirt=_shade(random, SHIRTS), trousers=_shade(random, TROUSERS), shoes=_shade(random, SHOES))
        if chosen and random.random() < ALIKE:
            clothes = dict(shirt=chosen[-1].shirt, trousers=chosen[-1].trousers, shoes=chosen[-1].shoes)
        body = dict(male=male, muscle=random.uniform(.4, .7), weight=random.uniform(.35, .7), ancestry=ancestry,
                    height=random.uniform(.35, .65), proportions=random.uniform(.5, .8))
        legs = random.choice([.55, .78, 1.5, 1.85])
        outfit = dict(sleeve=random.choice([.42, .55, .6, 1.8]), leg=float(legs), hair=random.uniform(.013, .026))
        chosen.append(Look(body=body, outfit=outfit, skin=skin, hair=HAIRS[random.integers(len(HAIRS))],
                           beard=.5 * male * (random.random() < .4), **clothes))
    return chosen


def _shade(random, colours):
    return tuple(np.array(colours[random.integers(len(colours))]) * random.uniform(.85, 1.15))
