package io.weir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Keys of long texts: short, and still unique for each caller. */
class LongKeyTest {
  /** The maximum length of a key, which a million buckets hold in memory. */
  private static final int MAX = 256;

  private static final List<Function<String, Key>> KINDS =
      List.of(Key::of, Key::user, Key::address);

  @Test
  void noKeyIsLongWhateverItsText() {
    for (Function<String, Key> kind : KINDS) {
      for (int length = 0; length <= 10_000; length = length < 300 ? length + 1 : length * 2) {
        int most = kind.apply("\u4e00".repeat(length)).encoded().length();
        assertTrue(most <= MAX, length + " became " + most);
      }
    }
    for (int parts = 1; parts < 20; parts++) {
      for (int length : List.of(1, 100, 128, 129, 8_192)) {
        List<Key> all = new ArrayList<>();
        for (int i = 0; i < parts; i++) {
          all.add(Key.of("k".repeat(length)));
        }
        assertTrue(Key.tuple(all).encoded().length() <= MAX, parts + " of " + length);
      }
    }
  }

  @Test
  void aShortKeyIsKeptAsItIs() {
    assertEquals("k3:abc", Key.of("abc").encoded());
    String jwtLess = "0123456789abcdef".repeat(8);
    assertEquals("k128:" + jwtLess, Key.of(jwtLess).encoded());
    assertEquals("u3:abck2:de", Key.tuple(List.of(Key.user("abc"), Key.of("de"))).encoded());
  }

  @Test
  void aUsersNameIsReadFromItsKeyAloneAndFromATupleThatBeginsWithIt() {
    for (String name : List.of("alice", "", "u5:alice", "5:x", "\u0661", "0")) {
      assertEquals(Optional.of(name), Key.user(name).userName());
      Key tuple = Key.tuple(List.of(Key.user(name), Key.of("k")));
      assertEquals(Optional.of(name), tuple.userName());
      assertEquals(Optional.empty(), Key.of(name).userName());
      assertEquals(Optional.empty(), Key.tuple(List.of(Key.of("k"), Key.user(name))).userName());
    }
    Key digest = Key.user("x".repeat(1_000));
    assertEquals(Optional.empty(), digest.userName());
    assertEquals(Optional.empty(), Key.tuple(List.of(digest, Key.of("k"))).userName());
    assertEquals(Optional.empty(), Key.everybody().userName());
    assertEquals(Optional.empty(), Key.nobody().userName());
  }

  @Test
  void longTextsThatDifferAnywhereAreDifferentCallers() {
    Set<Key> seen = new HashSet<>();
    StringBuilder text = new StringBuilder("x".repeat(8_192));
    for (int i = 0; i < text.length(); i += 64) {
      text.setCharAt(i, 'y');
      assertTrue(seen.add(Key.of(text.toString())), "at " + i);
      text.setCharAt(i, 'x');
    }
    for (int length = 120; length < 140; length++) {
      assertTrue(seen.add(Key.of("z".repeat(length))), "length " + length);
    }
    assertTrue(seen.add(Key.of("x".repeat(8_191) + "\ud83d")));
    assertTrue(seen.add(Key.of("x".repeat(8_191) + "\ude00")));
    assertTrue(seen.add(Key.of("x".repeat(8_191) + "?")));
    assertEquals(Key.of("z".repeat(139)), Key.of("z".repeat(139)));
    assertEquals(Key.of("z".repeat(139)).hashCode(), Key.of("z".repeat(139)).hashCode());
  }

  @Test
  void longTextsOfAnotherKindAreAnotherCaller() {
    String text = "alice".repeat(100);
    assertNotEquals(Key.user(text), Key.of(text));
    assertNotEquals(Key.address(text), Key.of(text));
  }

  /** A caller can't send the digest in place of a long text. */
  @Test
  void noShortTextPassesForALongOne() {
    Key kept = Key.of("k".repeat(8_192));
    String encoded = kept.encoded();
    for (int from = 0; from < encoded.length(); from++) {
      assertNotEquals(kept, Key.of(encoded.substring(from)));
    }
    Key tuple = Key.tuple(List.of(kept, kept, kept, kept, kept, kept, kept));
    assertNotEquals(tuple, Key.of(tuple.encoded()));
    assertNotEquals(tuple, Key.tuple(List.of(kept, kept, kept, kept, kept, kept)));
  }

  @Test
  void tuplesOfLongPartsAreToldApartByEachPartAndTheirOrder() {
    List<Key> parts = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      parts.add(Key.of(i + "k".repeat(200)));
    }
    Set<Key> seen = new HashSet<>(Set.of(Key.tuple(parts)));
    for (int i = 1; i < parts.size(); i++) {
      List<Key> moved = new ArrayList<>(parts);
      moved.set(0, parts.get(i));
      moved.set(i, parts.get(0));
      assertTrue(seen.add(Key.tuple(moved)));
      assertTrue(seen.add(Key.tuple(parts.subList(0, i))) || i == 1);
    }
    assertEquals(Key.tuple(parts), Key.tuple(List.copyOf(parts)));
  }

  @Test
  void aLongKeyTellsItsKindAndNothingElse() {
    assertEquals(Key.of("a").toString(), Key.of("secret".repeat(100)).toString());
    List<Key> nine = List.of(Key.user("u".repeat(200)), Key.of("k".repeat(200)));
    assertEquals(Key.user("u").toString(), Key.tuple(nine).toString());
  }
}
