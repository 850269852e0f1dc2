"""Players of whole games: functions of what a player may see and of the legal choices.

A bot of one's own is such a function in a module that Python finds; ``module:function`` is its name::

    from thunderref.thunderstone.rules.choices import Buy

    def shopper(view, choices):
        \"\"\"Buys the dearest card there is for its gold, and else takes the first choice.\"\"\"
        offered = [choice for choice in choices if isinstance(choice, Buy)]
        return max(offered, key=lambda choice: view.cards[choice.card].cost, default=choices[0])

:class:`View <thunderref.thunderstone.bots.view.View>` says what it sees, :mod:`thunderref.thunderstone.rules.choices`
what it may choose, and :data:`Bot <thunderref.thunderstone.bots.bot.Bot>` how it may say why.
"""
