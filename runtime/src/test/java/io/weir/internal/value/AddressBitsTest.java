package io.weir.internal.value;

import static org.junit.jupiter.api.Assertions.assertEquals;

import inet.ipaddr.IPAddress;
import io.weir.seeds.Seeds;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The usual spelling of IPv4 is read as the library reads it, and blocks are compared as there. */
class AddressBitsTest {
  private static final String LETTERS = "0123456789./: a";

  @Test
  void textsAreReadAndWrittenAsTheLibraryDoes() {
    Seeds.each(
        50,
        random -> {
          for (int i = 0; i < 200; i++) {
            String text = text(random);
            Optional<IPAddress> block = IpAddressParser.block(text);
            assertEquals(block.map(AddressBits::of), AddressBits.parse(text), text);
            assertEquals(
                block.map(AddressBitsTest::canonical),
                AddressBits.parse(text).map(AddressBits::text));
            assertEquals(
                IpAddressParser.node(text).map(AddressBits::of), AddressBits.parseNode(text), text);
          }
        });
  }

  private static String canonical(IPAddress block) {
    return (block.isMultiple() ? block : block.withoutPrefixLength()).toCanonicalString();
  }

  @Test
  void blocksOverlapAsTheLibrarySays() {
    Seeds.each(
        50,
        random -> {
          for (int i = 0; i < 200; i++) {
            IPAddress one = IpAddressParser.block(valid(random)).orElseThrow();
            IPAddress other = IpAddressParser.block(valid(random)).orElseThrow();
            assertEquals(
                one.contains(other) || other.contains(one),
                AddressBits.of(one).overlaps(AddressBits.of(other)),
                one + " and " + other);
          }
        });
  }

  /** Few values, so that many overlap. */
  private static String valid(Random random) {
    return random.nextBoolean()
        ? "10." + random.nextInt(2) + ".0." + random.nextInt(3) + "/" + random.nextInt(33)
        : "::" + random.nextInt(2) + ":" + random.nextInt(3) + "/" + random.nextInt(129);
  }

  /** A spelling of IPv4, or one that is spoilt in a place. */
  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 4; i++) {
      text.append(i > 0 ? "." : "").append(random.nextInt(random.nextInt(8) == 0 ? 300 : 256));
    }
    if (random.nextBoolean()) {
      text.append('/').append(random.nextInt(random.nextInt(8) == 0 ? 40 : 33));
    }
    if (random.nextInt(3) == 0) {
      int at = random.nextInt(text.length());
      String letter = String.valueOf(LETTERS.charAt(random.nextInt(LETTERS.length())));
      text.replace(at, at + random.nextInt(2), letter);
    }
    return text.toString();
  }
}
