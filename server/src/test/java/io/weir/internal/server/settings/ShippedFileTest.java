package io.weir.internal.server.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.spi.ModuleSetting;
import io.weir.spi.ModuleSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests that the file with settings in the archive has every setting, in a comment. */
class ShippedFileTest {
  private static final Pattern COMMENT = Pattern.compile("(?m)^#(weir\\.[a-z0-9.-]+)=(.*)$");

  /** The beginning of the settings whose defaults the stores have. */
  private static final String OF_STORES = "weir.store.";

  /** The settings that have an example in the file, because their default is empty. */
  private static final Set<String> EXAMPLES =
      Set.of(
          "weir.control.hosts",
          "weir.control.origin",
          "weir.rules",
          "weir.rules.caller",
          "weir.server.jwt.issuer",
          "weir.server.jwt.audience",
          "weir.server.jwt.keys",
          "weir.server.envoy");

  @Test
  void namesAllSettingsOfModulesWithTheirDefaults() throws IOException {
    String file = Files.readString(Path.of("src/main/archive/conf/weir.properties"));
    List<String> wrong = new ArrayList<>();
    for (ModuleSettings module : ServiceLoader.load(ModuleSettings.class)) {
      for (ModuleSetting setting : module.settings()) {
        List<String> values = new ArrayList<>();
        Matcher lines = COMMENT.matcher(file);
        while (lines.find()) {
          if (lines.group(1).equals(setting.name())) {
            values.add(lines.group(2));
          }
        }
        if (values.size() != 1) {
          wrong.add(setting.name() + " stands there " + values.size() + " times");
        } else if (setting.kind() != ModuleSetting.Kind.DURATION
            && !EXAMPLES.contains(setting.name())
            && !setting.name().startsWith(OF_STORES)
            && !values.get(0).equals(setting.defaultValue())) {
          wrong.add(setting.name() + " is " + setting.defaultValue() + ", not " + values.get(0));
        }
      }
    }
    assertEquals(
        List.of(),
        wrong,
        "java tests/test-support/src/main/java/io/weir/test/docs/SettingCopies.java adds those of stores");
  }

  @Test
  void setsNothing() throws IOException {
    Set<String> set =
        Files.readAllLines(Path.of("src/main/archive/conf/weir.properties")).stream()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .collect(Collectors.toSet());
    assertEquals(Set.of(), set);
  }
}
