"""Players of whole games: functions of what a player may see and of the legal choices.

A bot of one's own is such a function in a module that Python finds, called ``module:function``; the tutorial in
:mod:`thunderref` has one. :class:`View <thunderref.thunderstone.bots.view.View>` says what it sees,
:mod:`thunderref.thunderstone.rules.choices` what it may choose, and :data:`Bot <thunderref.thunderstone.bots.bot.Bot>`
how it may say why.
"""
