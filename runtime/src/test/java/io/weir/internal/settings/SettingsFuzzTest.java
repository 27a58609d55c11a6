package io.weir.internal.settings;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.weir.InvalidSettingException;
import io.weir.seeds.Seeds;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SettingsFuzzTest {
  private static final List<String> PARTS =
      List.of(
          "weir",
          ".",
          "policy",
          "default",
          "cost",
          "POST",
          "tier",
          "limit",
          "window",
          "by",
          "url",
          "A",
          "a.b",
          "shadow",
          "key",
          "store",
          "enabled",
          "exceed-by",
          "\u00e4",
          " ",
          "=",
          "");
  private static final List<String> VALUES =
      List.of(
          "1",
          "0",
          "-1",
          "9223372036854775808",
          "10s",
          "PT",
          "PT1S",
          "P",
          "d",
          "true",
          "ip",
          ",",
          "ip,user",
          "/",
          "/*",
          "*.x",
          "/a/*",
          "*",
          "$",
          "\\",
          "\u0663",
          "",
          " ",
          "ms",
          "hard",
          "1e9");

  /** Any text is either read or refused by the one exception that names the setting. */
  @Test
  void onlyTheExceptionThatNamesItEscapes() {
    long seed = Seeds.first();
    Random random = new Random(seed);
    int read = 0;
    for (int round = 0; round < Seeds.times(4_000); round++) {
      String name = random.nextBoolean() ? known(random) : "weir." + joined(random, PARTS);
      String value = joined(random, VALUES);
      try {
        read += SettingsSnapshot.of(Map.of(name, value)).find(name).isPresent() ? 1 : 0;
      } catch (InvalidSettingException mistake) {
        assertTrue(String.valueOf(mistake.getMessage()).contains(name.trim()), name);
      } catch (RuntimeException other) {
        fail("seed " + seed + ": '" + name + "' = '" + value + "'", other);
      }
    }
    assertTrue(read > 100, "seed " + seed + " read only " + read);
  }

  private static String known(Random random) {
    List<String> whole = SettingNames.fixed();
    List<String> members = SettingNames.members();
    return random.nextBoolean()
        ? whole.get(random.nextInt(whole.size()))
        : "weir.policy.A.a." + members.get(random.nextInt(members.size()));
  }

  private static String joined(Random random, List<String> parts) {
    StringBuilder text = new StringBuilder();
    for (int count = random.nextInt(4); count >= 0; count--) {
      text.append(parts.get(random.nextInt(parts.size())));
    }
    return text.toString();
  }
}
