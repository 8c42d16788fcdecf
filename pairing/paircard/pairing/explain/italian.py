"""Every sentence that explains a round, in Italian; keys and fields are those of the English catalogue."""

from typing import Final

from paircard.pairing.explain.catalogue import ENGLISH, Catalogue, Template


def italian(tenths: int) -> str:
    """``one`` for up to one of them, but for none."""
    return "one" if 0 < tenths <= 10 else "other"


SHORT: Final[dict[str, Template]] = {
    "pair.in-order": "{player} e {opponent} hanno entrambi {points}. Tra i giocatori con questi punti la "
    "metà superiore incontra in ordine quella inferiore, e così i due si incontrano.",
    "pair.rest-in-order": "{player} e {opponent} hanno entrambi {points}. Tra i giocatori rimasti con "
    "questi punti la metà superiore incontra in ordine quella inferiore, e così i due si incontrano.",
    "pair.collapsed-in-order": "{player} e {opponent} hanno entrambi {points}. I gruppi più bassi si "
    "potevano abbinare solo insieme, e lì la metà superiore incontra in ordine quella inferiore.",
    "pair.further": "Neanche tra i giocatori con {group} si è potuto abbinare {player}.",
    "pair.same": "{player} e {opponent} hanno entrambi {points}.",
    "pair.down": "{player} ha {points} e {opponent} {other_points}: tra i giocatori con {group} non c’era "
    "un avversario per {player}, che è sceso.",
    "pair.up": "{player} ha {points} e {opponent} {other_points}: tra i giocatori con {group} non c’era "
    "un avversario per {opponent}, che è sceso.",
    "pair.collapsed": "{player} ha {points} e {opponent} {other_points}: i gruppi più bassi si potevano "
    "abbinare solo insieme.",
    "pair.bye": "Il numero dei giocatori è dispari, e {player} riceve il bye nel turno {round}.",
    "alternative.natural": "In ordine {player} avrebbe incontrato {natural}.",
    "alternative.left": "In ordine {player} sarebbe rimasto solo in questo gruppo di punteggio.",
    "alternative.down": "La migliore alternativa era far scendere {instead} invece di {player}.",
    "alternative.stay": "L’altra scelta era abbinare {player} tra i giocatori con {points}.",
    "alternative.bye": "La migliore alternativa era dare il bye a {instead}.",
    "alternative.no-bye": "L’altra scelta era abbinare {player} e dare il bye a qualcun altro.",
    "asked.same": "{a} e {b} hanno entrambi {points} e avrebbero potuto incontrarsi.",
    "asked.differ": "{a} ha {points} e {b} {other_points}: avrebbero potuto incontrarsi, ma ciascuno "
    "resta tra chi ha gli stessi punti finché è possibile.",
    "asked.bye": "{player}, che ha {points}, avrebbe potuto avere il bye.",
    "then.C4": "Allora non si potrebbero abbinare tutti.",
    "then.C.13 (2012)": "Allora gli ultimi gruppi non si potrebbero abbinare così come sono.",
    "then.C5": "Allora il bye andrebbe a un giocatore con {other} invece di {real}.",
    "then.C6": {
        "one": "Allora {other} giocatore invece di {real} dovrebbe lasciare il {group} e scendere: {people}.",
        "other": "Allora {other} giocatori invece di {real} dovrebbero lasciare il {group} e scendere: "
        "{people}.",
    },
    "then.M1": {
        "one": "Allora {other} giocatore sceso in {group} invece di {real} non vi troverebbe avversario.",
        "other": "Allora {other} giocatori scesi in {group} invece di {real} non vi troverebbero avversario.",
    },
    "then.C.12 (2012)": {
        "one": "Allora al gruppo sotto {group} mancherebbe {other} avversario o coppia invece di {real}.",
        "other": "Allora al gruppo sotto {group} mancherebbero {other} avversari o coppie invece di {real}.",
    },
    "then.B2": {
        "one": "Allora in {group} {other} coppia invece di {real} avrebbe la stessa preferenza assoluta.",
        "other": "Allora in {group} {other} coppie invece di {real} avrebbero la stessa preferenza assoluta.",
    },
    "then.A7d": {
        "one": "Allora in {group} {other} coppia invece di {real} avrebbe la stessa preferenza forte.",
        "other": "Allora in {group} {other} coppie invece di {real} avrebbero la stessa preferenza forte.",
    },
    "then.Z": {
        "one": "Allora in {group} {other} coppia invece di {real} avrebbe la stessa preferenza forte.",
        "other": "Allora in {group} {other} coppie invece di {real} avrebbero la stessa preferenza forte.",
    },
    "then.C7": "Allora dal {group} dovrebbero scendere giocatori con più punti: {other} invece di {real}.",
    "then.C.6": "Allora le differenze di punteggio nel {group} sarebbero maggiori: {other} invece di {real}.",
    "then.C8": {
        "one": "Allora {other} giocatore invece di {real} dovrebbe scendere dal gruppo sotto il {group}.",
        "other": "Allora {other} giocatori invece di {real} dovrebbero scendere dal gruppo sotto il {group}.",
    },
    "then.C8.scores": "Allora dal gruppo sotto il {group} dovrebbero scendere giocatori con più punti: "
    "{other} invece di {real}.",
    "then.C.7.scores": "Allora le differenze di punteggio nel gruppo sotto il {group} sarebbero maggiori: "
    "{other} invece di {real}.",
    "then.C8.none": "Allora il gruppo sotto il {group} non si potrebbe abbinare affatto.",
    "then.C9": {
        "one": "Allora il bye andrebbe a un giocatore con {other} partita non giocata invece di {real}.",
        "other": "Allora il bye andrebbe a un giocatore con {other} partite non giocate invece di {real}.",
    },
    "then.C10": {
        "one": "Allora nel {group} {other} coppia con un topscorer invece di {real} darebbe a qualcuno un "
        "colore tre volte più dell’altro.",
        "other": "Allora nel {group} {other} coppie con un topscorer invece di {real} darebbero a qualcuno "
        "un colore tre volte più dell’altro.",
    },
    "then.C11": {
        "one": "Allora nel {group} {other} coppia con un topscorer invece di {real} darebbe a qualcuno lo "
        "stesso colore tre volte di fila.",
        "other": "Allora nel {group} {other} coppie con un topscorer invece di {real} darebbero a qualcuno "
        "lo stesso colore tre volte di fila.",
    },
    "then.C12": {
        "one": "Allora nel {group} {other} giocatore invece di {real} non avrebbe il colore dovuto.",
        "other": "Allora nel {group} {other} giocatori invece di {real} non avrebbero il colore dovuto.",
    },
    "then.C13": {
        "one": "Allora nel {group} {other} giocatore invece di {real} non avrebbe un colore fortemente "
        "dovuto.",
        "other": "Allora nel {group} {other} giocatori invece di {real} non avrebbero un colore fortemente "
        "dovuto.",
    },
    "then.C14": {
        "one": "Allora nel {group} {other} giocatore invece di {real} scenderebbe per la seconda volta di "
        "fila.",
        "other": "Allora nel {group} {other} giocatori invece di {real} scenderebbero per la seconda volta "
        "di fila.",
    },
    "then.C15": {
        "one": "Allora nel {group} {other} giocatore invece di {real} incontrerebbe per la seconda volta di "
        "fila qualcuno con più punti.",
        "other": "Allora nel {group} {other} giocatori invece di {real} incontrerebbero per la seconda volta "
        "di fila qualcuno con più punti.",
    },
    "then.C16": {
        "one": "Allora nel {group} {other} giocatore invece di {real} scenderebbe come già due turni fa.",
        "other": "Allora nel {group} {other} giocatori invece di {real} scenderebbero come già due turni fa.",
    },
    "then.C17": {
        "one": "Allora nel {group} {other} giocatore invece di {real} incontrerebbe qualcuno con più punti "
        "come già due turni fa.",
        "other": "Allora nel {group} {other} giocatori invece di {real} incontrerebbero qualcuno con più "
        "punti come già due turni fa.",
    },
    "then.C18": "Allora nel {group} chi è sceso nell’ultimo turno scenderebbe di più: di {other} invece di "
    "{real}.",
    "then.C19": "Allora nel {group} chi ha incontrato più punti nell’ultimo turno ne incontrerebbe ancora di "
    "più: di {other} invece di {real}.",
    "then.C20": "Allora nel {group} chi è sceso due turni fa scenderebbe di più: di {other} invece di "
    "{real}.",
    "then.C21": "Allora nel {group} chi ha incontrato più punti due turni fa ne incontrerebbe ancora di più: "
    "di {other} invece di {real}.",
    "then.later": "Non sarebbe né meglio né peggio per nessuna regola nel {group}; tra candidati uguali le "
    "regole prendono il primo nel loro ordine fisso, e questo viene dopo.",
    "cause.nobody": "Allora per {player} non resterebbe nessun avversario.",
    "cause.chain": "Allora si potrebbe continuare solo con {pairs}, e per {player} non resterebbe nessun "
    "avversario.",
    "cause.no-bye": "Allora non resterebbe nessuno che possa avere il bye.",
    "cause.no-bye-chain": "Allora si potrebbe continuare solo con {pairs}, e non resterebbe nessuno che "
    "possa avere il bye.",
    "cause.helpers": "Allora {people} potrebbero giocare solo tra loro e con {helpers}, e sono troppo pochi.",
    "cause.group": "Allora {people} potrebbero giocare solo tra loro, e sono in numero dispari.",
    "cause.stands.nobody": "Se restassero le coppie dei giocatori con {points}, per {player} non "
    "resterebbe nessun avversario.",
    "cause.stands.chain": "Se restassero le coppie dei giocatori con {points}, si potrebbe continuare "
    "solo con {pairs}, e allora per {player} non resterebbe nessun avversario.",
    "cause.stands.no-bye": "Se restassero le coppie dei giocatori con {points}, non resterebbe nessuno "
    "che possa avere il bye.",
    "cause.stands.no-bye-chain": "Se restassero le coppie dei giocatori con {points}, si potrebbe "
    "continuare solo con {pairs}, e allora non resterebbe nessuno che possa avere il bye.",
    "cause.stands.helpers": "Se restassero le coppie dei giocatori con {points}, {people} potrebbero "
    "giocare solo tra loro e con {helpers}, e sono troppo pochi.",
    "cause.stands.group": "Se restassero le coppie dei giocatori con {points}, {people} potrebbero "
    "giocare solo tra loro, e sono in numero dispari.",
    "float.alone": "{player} era l’unico rimasto con {points}.",
    "float.met": "{player} ha già giocato con tutti gli altri del gruppo di {points}: {games}.",
    "float.barred": "Nessun altro del gruppo di {points} può incontrare {player}.",
    "forbidden.C1": "{a} e {b} hanno già giocato tra loro, nel turno {round}.",
    "topscorer.may-meet": "{a} e {b} possono incontrarsi benché entrambi debbano avere il {colour}: "
    "{player}, con {score} su {most}, è un topscorer nell’ultimo turno.",
    "forbidden.C3": "{a} e {b} devono avere entrambi il {colour}: a nessuno dei due si può dare ancora "
    "l’altro colore.",
    "forbidden.prohibited": "{a} e {b} non possono incontrarsi in questo torneo: l’organizzatore lo ha "
    "annunciato.",
    "forbidden.C2": "{player} non può avere il bye: nel turno {round} {player} lo ha avuto, o ha avuto "
    "quanto una vittoria senza giocare.",
    "forbidden.C.2": "{player} non può avere il bye: nel turno {round} {player} lo ha avuto, o ha vinto "
    "perché l’avversario non si è presentato.",
    "forbidden.B.1.b": "{player} non può avere il bye: nel turno {round} {player} lo ha avuto, o ha avuto un "
    "punto o mezzo punto senza giocare.",
    "forbidden.even": "Il numero dei giocatori è pari: nessuno riceve il bye.",
    "real.pair": "{a} e {b} si incontrano.",
    "real.bye": "{player} ha il bye.",
    "absent.H": "{player} non è abbinato nel turno {round}: bye da mezzo punto.",
    "absent.F": "{player} non è abbinato nel turno {round}: bye da un punto.",
    "absent.Z": "{player} non è abbinato nel turno {round}: assente.",
    "absent.withdrawn": "{player} non è abbinato nel turno {round}: ritirato.",
    "absent.expelled": "{player} non è abbinato nel turno {round}: espulso.",
    "absent.late": "{player} si è iscritto dopo l’abbinamento del turno {round}.",
    "colour.both": "A {white} toccava il Bianco e a {black} il Nero: entrambi lo ricevono.",
    "colour.one": "A {player} toccava il {colour}, e lo riceve; {other} non ha ancora avuto un colore.",
    "colour.stronger.row": "A entrambi toccava il {colour}: {winner} ha avuto il {opposite} due volte di "
    "fila e lo riceve.",
    "colour.stronger.wide": "A entrambi toccava il {colour}: {winner} ha avuto il {opposite} {difference} "
    "volte più del {colour} e lo riceve.",
    "colour.stronger.one": "A entrambi toccava il {colour}: {winner} ha avuto il {opposite} una volta più "
    "del {colour} e lo riceve, {loser} li ha avuti in parti uguali.",
    "colour.wider": "Entrambi devono avere il {colour}: {winner} ha avuto il {opposite} {times} più del "
    "{colour}, {loser} {other_times} di più, perciò lo riceve {winner}.",
    "colour.wider.row": "Entrambi devono avere il {colour}: {winner} ha la differenza di colore maggiore, "
    "{difference} contro {other_difference}, e lo riceve.",
    "colour.alternate": "A entrambi toccava il {colour}: l’ultima volta che i loro colori erano diversi "
    "{winner} ha avuto il {opposite} e {loser} il {colour}, perciò ora lo riceve {winner}.",
    "colour.rank": "A entrambi toccava il {colour}, e finora hanno avuto gli stessi colori: {winner} è "
    "più in alto e lo riceve.",
    "colour.rank.shorter": "A entrambi toccava il {colour}, e hanno avuto gli stessi colori finché hanno "
    "giocato entrambi: {winner} è più in alto e lo riceve.",
    "colour.first.odd": "Nessuno dei due ha ancora avuto un colore: {player} è più in alto con il numero "
    "dispari {number}, e i dispari cominciano con il {colour}.",
    "colour.first.even": "Nessuno dei due ha ancora avuto un colore: {player} è più in alto con il numero "
    "pari {number}, e i pari cominciano con il {colour}.",
}

DETAIL: Final[dict[str, Template]] = {
    "board.white": "{player} ha il Bianco contro {opponent} nel turno {round}, alla scacchiera {board}.",
    "board.black": "{player} ha il Nero contro {opponent} nel turno {round}, alla scacchiera {board}.",
    "board.bye": "{player} ha il bye assegnato dall’abbinamento nel turno {round}.",
    "bracket.of": "{player}, con {points}, è stato abbinato nel gruppo di {score}.",
    "bracket.of.virtual": "{player}, con {points} e {virtual} di accelerazione (C.04.7), è stato abbinato "
    "nel gruppo di {score}.",
    "bracket.of.PPB": "{player}, con {points}, è stato abbinato nel penultimo gruppo (PPB) di {score}.",
    "bracket.of.CLB": "{player}, con {points}, è stato abbinato nell’ultimo gruppo riunito (CLB).",
    "bracket.of.joined": "{player}, con {points}, è stato abbinato nell’ultimo gruppo riunito (C.13).",
    "bracket.of.homogeneous": "{player}, con {points}, è stato abbinato nel gruppo di {score}, trattato come "
    "omogeneo perché almeno metà viene dall’alto (A.3).",
    "bracket.topscorers": {
        "one": "Ultimo turno: qui il topscorer è {players} (più della metà di {most}, {article}).",
        "other": "Ultimo turno: qui i topscorer sono {players} (più della metà di {most}, {article}).",
    },
    "bracket.topscorers.none": "Ultimo turno: qui nessun topscorer (più della metà di {most}, {article}).",
    "bracket.title.joined": "Ultimo gruppo riunito (C.13)",
    "bracket.title.homogeneous": "Gruppo di {score}, trattato come omogeneo (A.3)",
    "bracket.title": "Gruppo di {score}",
    "bracket.title.PPB": "Penultimo gruppo (PPB) di {score}",
    "bracket.title.CLB": "Ultimo gruppo riunito (CLB)",
    "bracket.parts": "{parts}.",
    "bracket.parts.homogeneous": "Omogeneo: {parts}.",
    "bracket.parts.heterogeneous": "Eterogeneo: {parts}.",
    "bracket.numbers": "{numbers}.",
    "bracket.lowered": "P1 scende a {pairs}, e con esso X1 a {x} (C.14).",
    "bracket.lowered.Z1": "P1 scende a {pairs}, e con esso X1 a {x} e Z1 a {z} (C.14).",
    "bracket.collapsed": "Abbinato da solo ({candidate}), lascerebbe un resto che non si può abbinare: "
    "tutti i gruppi sottostanti si riuniscono in uno (A.9).",
    "bracket.rest": "Gli altri si possono abbinare, per esempio {candidate}.",
    "natural.chosen": "In ordine, {candidate}: nulla vi si opponeva.",
    "natural.best": "In ordine, {candidate}: nessun altro candidato è migliore.",
    "natural.first": "In ordine sarebbe stato {candidate}.",
    "natural.bars": "Non ammesso: {bars}.",
    "natural.worse": "Escluso da {criterion}, {rule}: {other} invece di {real}.",
    "natural.worse.brief": "Escluso da {criterion}: {other} invece di {real}.",
    "natural.rule": "Escluso da {criterion}, {rule}.",
    "legal.first": "Il primo candidato ammesso dalle regole assolute: {candidate}.",
    "legal.chosen": "Il primo candidato ammesso dalle regole assolute è quello scelto: {candidate}.",
    "chosen": "Scelto: {candidate}.",
    "step.mdp-set": "Dei discesi sono abbinati qui {players} ({article}).",
    "step.mdp-set.none": "Nessuno dei discesi è abbinato qui ({article}).",
    "step.mdp-opponents": "I discesi incontrano altri che i primi in ordine: {candidate} ({article}).",
    "step.exchange": "{down} e {up} cambiano metà ({article}).",
    "step.transposition": "La metà inferiore è incontrata nell’ordine {players} ({article}).",
    "later.step.mdp-set": "L’alternativa abbina un altro insieme di discesi, che viene dopo ({article}).",
    "later.step.mdp-opponents": "L’alternativa dà ai discesi una trasposizione successiva degli avversari "
    "({article}).",
    "later.step.exchange": "L’alternativa usa uno scambio successivo tra S1 e S2 ({article}).",
    "later.step.transposition": "L’alternativa è una trasposizione successiva di S2 ({article}).",
    "later.first": "Tra candidati uguali si sceglie il primo generato ({article}).",
    "contrast.rule": "La regola: {criterion}, {rule}.",
    "contrast.worse": "Peggiore per {criterion}, {rule}: {other} invece di {real}.",
    "contrast.worse.brief": "{criterion}: {other} invece di {real}.",
    "contrast.later": "Uguale in ogni criterio, ma generato dopo.",
    "contrast.chosen": "Nel gruppo di {score}, scelto: {candidate}.",
    "contrast.chosen.CLB": "Nell’ultimo gruppo riunito, scelto: {candidate}.",
    "contrast.best": "Il migliore altrimenti: {candidate}.",
    "contrast.found": "Il migliore trovato altrimenti: {candidate}.",
    "contrast.round": "Quel turno, prima il Bianco: {candidate}.",
    "contrast.round.same": {
        "one": "Quel turno, prima il Bianco: {candidate}; 1 scacchiera resta com’è.",
        "other": "Quel turno, prima il Bianco: {candidate}; {same} scacchiere restano come sono.",
    },
    "contrast.question": "Perché non {natural}?",
    "unproven": "Non è provato che sia il migliore: {untried} possibili insiemi di downfloater erano "
    "troppi per provarli uno a uno. Quello provato è la scelta del motore se l’alternativa è presa per "
    "regola; un altro può essere migliore per {criterion} o per un criterio successivo.",
    "float.down": "{player} è sceso dal gruppo di {points}.",
    "float.bye": "{player} ha il bye.",
    "values.perfect": "Perfetto: nessun criterio si poteva rispettare meglio.",
    "values.least": "Perfetto: nessun criterio si poteva rispettare meglio. Inevitabile: {values}.",
    "values.best": "Nessun candidato migliore: {values}.",
    "values.best.least": "Nessun candidato migliore: {values}. Inevitabile: {least}.",
    "topscorer.is": "{player} ha {score} su {most}, più della metà: un topscorer nell’ultimo turno "
    "({article}).",
    "topscorer.not": "{player} ha {score} su {most}, non più della metà: nell’ultimo turno non è un "
    "topscorer ({article}).",
    "topscorer.apart": "{a} e {b} devono avere entrambi il {colour}; {rule} non li separa, perché parla di "
    "due non-topscorer.",
    "topscorer.B.2": "{a} e {b} devono avere entrambi il {colour}; per i topscorer {rule} si può ignorare se "
    "così i floater sono meno o di punteggio più basso.",
    "topscorer.counted": "{criterion} conta 1 per questa coppia: {rule}.",
    "colours.rule": "{player} ha il Bianco per {article}: {rule}.",
    "colours.due.absolute.row": "A {player} tocca il {colour}, assolutamente: {opposite} due volte di fila.",
    "colours.due.absolute.wide": "A {player} tocca il {colour}, assolutamente: differenza di colore "
    "{difference}.",
    "colours.due.strong.one": "A {player} tocca il {colour}, fortemente: differenza di colore {difference}.",
    "colours.due.mild.last": "A {player} tocca il {colour}, lievemente: {opposite} nell’ultima partita.",
    "colours.due.none": "A {player} non tocca nessun colore.",
    "colours.history": "{history}  {player}",
    "colours.differed": {
        "one": "La prima differenza è nelle ultime partite.",
        "other": "La prima differenza è nelle partite di {ago} turni fa.",
    },
    "colours.number": "{player} è più in alto, numero {number} di chi ha partecipato.",
    "edition.dutch-2026": "Sistema olandese FIDE C.04.3, edizione 2026",
    "edition.dutch-2017": "Sistema olandese FIDE C.04.3, edizione 2017 (testo di Baku 2016)",
    "edition.dutch-2012": "Sistema olandese FIDE, edizione 2012 (testo di Istanbul 2012)",
    "edition.dutch-2012-javafo": "Sistema olandese FIDE, edizione 2012 (Istanbul) come la legge JaVaFo 1.4",
    "sieve.members": "Numeri di sequenza da 1: {players}.",
    "sieve.apart": "Non possono incontrarsi: {bars}.",
    "sieve.apart.none": "Tutti possono incontrarsi.",
    "sieve.more": "Seguono altri candidati; sono elencati quelli fino a qui e quello scelto.",
    "sieve.excluded": "peggiore per {criterion}",
    "sieve.C4": "{criterion}: il resto non si può abbinare",
    "sieve.later": "uguale, viene dopo",
    "sieve.chosen": "scelto",
    "sieve.none": "tutti al minimo",
    "note.altered": "Il turno {round} è stato modificato a mano da {by}.",
    "note.altered.why": "Il turno {round} è stato modificato a mano da {by}: {why}.",
    "note.played": "Il turno {round} è stato giocato diversamente da come era abbinato.",
    "note.manual": "Il turno {round} è stato abbinato a mano; così lo abbina il motore.",
    "note.import": "Le scacchiere del turno {round} vengono da fuori.",
    "note.unpaired": "Il turno {round} non è ancora abbinato: questo è ciò che danno le regole.",
    "note.stands.white": "{player} ha il Bianco contro {opponent}. Per le regole sarebbe:",
    "note.stands.black": "{player} ha il Nero contro {opponent}. Per le regole sarebbe:",
    "note.stands.bye": "{player} ha il bye. Per le regole sarebbe:",
    "note.stands.none": "{player} non è abbinato. Per le regole sarebbe:",
    "note.meet": "{a} e {b} si incontrano. Per le regole no:",
    "note.do-not-meet": "{a} e {b} non si incontrano. Per le regole si incontrerebbero.",
    "note.other-boards": {
        "one": "1 scacchiera non è quella delle regole; è spiegato il turno delle regole.",
        "other": "{boards} scacchiere non sono quelle delle regole; è spiegato il turno delle regole.",
    },
    "note.accelerated": {
        "one": "I punteggi sono quelli dell’abbinamento, con {virtual} di accelerazione (C.04.7) per il "
        "numero {numbers}.",
        "other": "I punteggi sono quelli dell’abbinamento, con {virtual} di accelerazione (C.04.7) per i "
        "numeri {numbers}.",
    },
    "note.no-round": "Qui le regole non danno nessun turno: {why}.",
    "round.title": {
        "one": "Turno {round} di {rounds}: 1 scacchiera",
        "other": "Turno {round} di {rounds}: {boards} scacchiere",
    },
    "round.title.bye": {
        "one": "Turno {round} di {rounds}: 1 scacchiera, il bye a {player}",
        "other": "Turno {round} di {rounds}: {boards} scacchiere, il bye a {player}",
    },
    "round.topscorers": {
        "one": "Ultimo turno: l’unico topscorer è {players} (più della metà di {most}, {article}).",
        "other": "Ultimo turno: i topscorer sono {players} (più della metà di {most}, {article}).",
    },
    "round.topscorers.none": "Ultimo turno: nessuno è un topscorer (più della metà di {most}, {article}).",
    "board": "Scacchiera {board}: {white} – {black} ({article})",
    "key.colours": "Colori dovuti: W B assolutamente, Ww Bb fortemente, w b lievemente (W Bianco, B "
    "Nero). Float degli ultimi due turni: ↓ in giù, ↑ in su. ↓ davanti ai numeri: scendono.",
    "key.parts": "S1 incontra S2; Limbo: discesi che scendono ancora; S1R e S2R: il resto.",
    "key.topscorers": "* dopo un numero: un topscorer.",
    "key.numbers": "M0 discesi, M1 di loro abbinati; x e z: coppie in cui qualcuno non può avere il "
    "colore dovuto (x) o fortemente dovuto (z).",
    "key.numbers.P0": "P0 coppie al massimo, P1 formate; M0 discesi, M1 di loro abbinati; X1 coppie almeno "
    "in cui qualcuno non può avere il colore che preferisce, X accettate; nei turni pari Z1 almeno in cui "
    "entrambi hanno la stessa preferenza forte, Z accettate (A.6, A.8, C.2).",
}

RULES: Final[dict[str, Template]] = {
    "rule.prohibited": "un abbinamento vietato in questo torneo",
    "rule.C1": "due giocatori non si incontrano più di una volta",
    "rule.C2": "il bye non va a chi lo ha già avuto, o ha avuto quanto una vittoria senza giocare",
    "rule.C.2": "il bye non va a chi lo ha già avuto, o ha vinto perché l’avversario non si è presentato",
    "rule.B.1.b": "il bye non spetta a chi ha ricevuto un punto o mezzo punto senza giocare",
    "rule.C.13 (2012)": "l’ultimo gruppo si deve abbinare; se non si può, gli ultimi gruppi si riuniscono",
    "rule.P1": "formare quante più coppie possibile; si contano i giocatori che restano",
    "rule.M1": "abbinare quanti più possibile dei giocatori scesi; si contano quelli che restano",
    "rule.B.3": "lasciare i punteggi più bassi; nei gruppi riuniti, differenze di punti piccole",
    "rule.C.12 (2012)": "scegliere downfloater di pari punteggio con cui il gruppo seguente fa più coppie",
    "rule.B.2 (topscorers)": "topscorer con la stessa preferenza assoluta solo per evitare floater",
    "rule.A.7.d": "nei turni dispari le preferenze forti valgono come assolute",
    "rule.X": "il minor numero di coppie in cui qualcuno non ha il colore che preferisce (B.4)",
    "rule.Z": "nei turni pari evitare coppie con la stessa preferenza forte (A.7.e)",
    "rule.C3": "non si incontrano due non-topscorer con la stessa preferenza assoluta di colore",
    "rule.C4": "tutti i giocatori non ancora abbinati devono poter completare il turno",
    "rule.C.4": "scegliere i downfloater di questo gruppo (il PPB) in modo che il turno si possa completare",
    "rule.C5": "minimizzare il punteggio di chi riceve il bye",
    "rule.C6": "minimizzare il numero dei downfloater",
    "rule.C.5": "massimizzare il numero delle coppie, cioè minimizzare quello dei downfloater",
    "rule.C7": "minimizzare i punteggi dei downfloater",
    "rule.C.6": "minimizzare le differenze di punteggio di coppie e downfloater (PSD)",
    "rule.C8": "scegliere i downfloater in modo che il gruppo seguente rispetti al meglio C1–C7",
    "rule.C.7": "scegliere i downfloater per avere più coppie, poi meno PSD, nel gruppo seguente",
    "rule.C9": "minimizzare le partite non giocate di chi riceve il bye",
    "rule.C10": "minimizzare i topscorer, o i loro avversari, con una differenza di colore oltre due",
    "rule.C11": "minimizzare i topscorer, o i loro avversari, con lo stesso colore tre volte di fila",
    "rule.C12": "minimizzare i giocatori che non hanno il colore preferito",
    "rule.C13": "minimizzare i giocatori che non hanno il colore fortemente preferito",
    "rule.C14": "minimizzare i residenti downfloater che lo sono stati nel turno precedente",
    "rule.C15": "minimizzare gli avversari dei discesi che hanno avuto un upfloat nel turno precedente",
    "rule.C16": "minimizzare i residenti downfloater che lo sono stati due turni prima",
    "rule.C17": "minimizzare gli avversari dei discesi che hanno avuto un upfloat due turni prima",
    "rule.C18": "minimizzare le differenze di punteggio dei discesi con un downfloat nel turno precedente",
    "rule.C19": "minimizzare le differenze di punteggio di chi ha avuto un upfloat nel turno precedente e "
    "incontra un disceso",
    "rule.C20": "minimizzare le differenze di punteggio dei discesi con un downfloat due turni prima",
    "rule.C21": "minimizzare le differenze di punteggio di chi ha avuto un upfloat due turni prima e "
    "incontra un disceso",
    "rule.C.12": "minimizzare i giocatori con lo stesso downfloat del turno precedente",
    "rule.C.13": "minimizzare i giocatori con lo stesso upfloat del turno precedente",
    "rule.C.14": "minimizzare i giocatori con lo stesso downfloat di due turni prima",
    "rule.C.15": "minimizzare i giocatori con lo stesso upfloat di due turni prima",
    "rule.C.16": "minimizzare le differenze di punteggio di chi ha lo stesso downfloat del turno precedente",
    "rule.C.17": "minimizzare le differenze di punteggio di chi ha lo stesso upfloat del turno precedente",
    "rule.C.18": "minimizzare le differenze di punteggio di chi ha lo stesso downfloat di due turni prima",
    "rule.C.19": "minimizzare le differenze di punteggio di chi ha lo stesso upfloat di due turni prima",
    "colour-rule.1": "entrambe le preferenze di colore sono soddisfatte",
    "colour-rule.2": "la preferenza più forte è soddisfatta",
    "colour-rule.2.wider": "di due preferenze assolute è soddisfatta quella con la differenza di colore "
    "maggiore",
    "colour-rule.3": "i colori si alternano dall’ultima partita in cui uno aveva il Bianco e l’altro il Nero",
    "colour-rule.4": "la preferenza di chi è più in alto è soddisfatta",
    "colour-rule.5": "senza preferenze, chi è più in alto ha il colore iniziale se il suo numero è "
    "dispari, altrimenti l’altro",
}

PLACES: Final[dict[str, Template]] = {
    "place.points": "{first} è sopra {second} con {value} contro {other}.",
    "place.first": "{first} è sopra {second}: decide {code} con {value} contro {other}.",
    "place.tiebreak": "{first} è sopra {second}: pari con {level}, decide {code} con {value} contro {other}.",
    "place.DE": "{first} è sopra {second}: pari con {level}, decidono le partite tra i pari ({code}).",
    "place.lots": "{first} è sopra {second}: pari con {level}, decide il sorteggio.",
    "place.hand": "{first} è sopra {second}: pari con {level}, ha deciso l’arbitro.",
    "place.shared": "{first} e {second} condividono il posto {place}: pari con {level}.",
    "place.status": "{first} è al posto {place}; {second} non ha un posto.",
    "place.none": "Né {first} né {second} hanno un posto.",
}

PARTS: Final[dict[str, Template]] = {
    "bye": "il bye",
    "number": "numero {number}",
    "numbers": {
        "one": "numero {numbers}",
        "other": "numeri {numbers}",
    },
    "none": "nessuno",
    "group": "gruppo di {points}",
    "group.CLB": "gruppo finale",
    "points": {
        "one": "{amount} punto",
        "other": "{amount} punti",
    },
    "times": {"one": "una volta", "other": "{many} volte"},
    "list.two": "{one} e {last}",
    "list.more": "altri {many}",
    "side.w": "Bianco",
    "side.b": "Nero",
    "candidate.of": "{shown}, … ({many} coppie in tutto)",
    "value": "{criterion} {value}",
    "level": "{code} {value}",
    "level.points": {"one": "{value} punto", "other": "{value} punti"},
    "value.least": "{criterion} {value} (minimo {least})",
    "game": "{player} nel turno {round}",
    "bar": "{pair} ({rule})",
    "bar.round": "{pair} ({rule}, turno {round})",
    "bar.prohibited": "{pair} (vietato)",
    "ahead": {
        "one": "{many} downfloater nel gruppo seguente",
        "other": "{many} downfloater nel gruppo seguente",
    },
    "ahead.list": {
        "one": "{many} downfloater nel gruppo seguente ({scores})",
        "other": "{many} downfloater nel gruppo seguente ({scores})",
    },
    "ahead.brief": "{many} ({scores})",
}

OWN: Final = SHORT | DETAIL | RULES | PLACES | PARTS
ITALIAN: Final = Catalogue("it", {**ENGLISH.templates, **OWN}, italian)
