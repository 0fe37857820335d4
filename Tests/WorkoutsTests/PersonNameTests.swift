import Testing
import Workouts

@Suite struct PersonNameTests {
    @Test(arguments: [
        "anna", "José", "李小龍", "Anna-Lena O'Neil", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "7", "-",
    ])
    func `a name that can be seen is taken`(text: String) { #expect(PersonName(text)?.text == text) }

    @Test(arguments: [
        "", "   ", "\u{200B}", "\u{200D}\u{FE0F}", "\u{00AD}\u{2060}", "\u{3164}", "\u{2800}", "a\nb", "a\u{2028}b",
        "a\u{2029}b", "abc\u{202E}def", "\u{2066}abc\u{2069}", "a\u{0000}", "a\u{0085}b", "\u{1B}[2J", "\u{0301}",
    ])
    func `a name that nobody sees, or that turns or breaks the line, is refused`(text: String) {
        #expect(PersonName(text) == nil)
    }

    @Test func `a name is limited in characters and in bytes`() {
        #expect(PersonName(String(repeating: "x", count: 40)) != nil)
        #expect(PersonName(String(repeating: "x", count: 41)) == nil)
        #expect(PersonName(String(repeating: "\u{1F3CB}", count: 40))?.text.utf8.count == PersonName.maximumBytes)
        #expect(PersonName("a" + String(repeating: "\u{0301}", count: 900)) == nil)
        #expect(PersonName(String(repeating: "x", count: 1_000_000)) == nil)
    }

    @Test(arguments: [
        ("Anna", "ANNA"), ("Bärbel Groß", "BÄRBEL GROSS"), ("Stra\u{DF}e", "strasse"),
        ("\u{39F}\u{3A3}", "\u{3BF}\u{3C2}"),
        ("Jos\u{E9}", "JOSE\u{301}"),
    ])
    func `a name in capitals is the same name`(one: String, other: String) {
        #expect(PersonName.areSame(one, other) && PersonName.key(one) == PersonName.key(other))
    }

    @Test func `blanks around a name and its normal form do not matter`() {
        #expect(PersonName(" \u{3000}bert\t")?.text == "bert")
        let (short, long) = ("Jos\u{E9}", "Jose\u{301}")
        #expect(PersonName(long)?.text.utf8.elementsEqual(short.utf8) == true)
        #expect(PersonName(short)?.text.utf8.elementsEqual(short.utf8) == true)
    }

    @Test func `letter case makes no other person of a name`() {
        #expect(PersonName.areSame("Frau MÜLLER ", "frau mu\u{308}ller"))
        #expect(!PersonName.areSame("Frau Müller", "Frau Muller"))
    }

    @Test(arguments: [
        String(repeating: "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", count: 40),
        "a" + String(repeating: "\u{0301}", count: 900), "abc\u{202E}def", String(repeating: "x", count: 5000),
    ])
    func `a name from before the rule is cut to a name`(text: String) throws {
        let name = try #require(PersonName.shortened(text))
        #expect(PersonName(name.text) == name)
    }

    @Test func `nothing is left of a name that nobody sees`() {
        #expect(PersonName.shortened("\u{200B}\u{2060}") == nil)
    }
}
