package io.weir.internal.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page of settings names all settings and no others. */
class SettingsPageTest {
  private static final Pattern OF_MODULES =
      Pattern.compile("weir[.](rules|usage|node|anomaly|rocksdb|control|notify|server)([.].*)?");
  private static final Pattern NAMED = Pattern.compile("(?m)^\\| `(weir[.][^`<]+)`");

  private static String page() throws IOException {
    return Files.readString(Path.of("../docs/settings.md"));
  }

  @Test
  void namesEverySetting() throws IOException {
    String page = page();
    Set<String> missing = new TreeSet<>(SettingNames.fixed());
    missing.removeIf(name -> name.startsWith(SettingNames.COST));
    missing.removeIf(name -> name.startsWith(SettingNames.DEFAULT));
    missing.removeIf(name -> name.startsWith(SettingNames.APPLICATION));
    missing.removeIf(name -> page.contains("| `" + name + "` "));
    assertEquals(Set.of(), missing);
  }

  @Test
  void namesEveryMemberOfAPolicy() throws IOException {
    String page = page();
    Set<String> missing = new TreeSet<>(SettingNames.members());
    missing.removeIf(member -> page.contains("| `" + member + "` "));
    assertEquals(Set.of(), missing);
  }

  @Test
  void namesNoSettingThatIsUnknown() throws IOException {
    Set<String> unknown = new TreeSet<>();
    NAMED.matcher(page()).results().forEach(found -> unknown.add(found.group(1)));
    unknown.removeIf(name -> SettingNames.syntax(name).isPresent());
    unknown.removeIf(name -> SettingNames.storeKind(name).isPresent());
    // The settings of a module are compared in the module.
    unknown.removeIf(name -> OF_MODULES.matcher(name).matches());
    assertEquals(Set.of(), unknown);
  }
}
