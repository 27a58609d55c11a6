package io.weir.internal.control.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.spi.ModuleSetting;
import io.weir.spi.ModuleSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ControlSettingsTest {
  /** Read by the starters for Spring Boot, which mount the API. */
  private static final String OF_SPRING = "weir.control.path";

  private static final Pattern NAMED = Pattern.compile("(?m)^\\| `(weir[.]control[^`]*)` ");

  @Test
  void thePageOfSettingsNamesThemAll() throws IOException {
    Set<String> told = new TreeSet<>();
    NAMED
        .matcher(Files.readString(Path.of("../docs/settings.md")))
        .results()
        .map(found -> found.group(1))
        .filter(name -> !name.equals(OF_SPRING))
        .forEach(told::add);
    assertEquals(
        new ControlSettings()
            .settings().stream()
                .map(ModuleSetting::name)
                .filter(name -> name.startsWith("weir.control"))
                .collect(Collectors.toCollection(TreeSet::new)),
        told);
  }

  @Test
  void areFoundByServiceLoader() {
    assertTrue(
        ServiceLoader.load(ModuleSettings.class).stream()
            .anyMatch(found -> found.type() == ControlSettings.class));
  }
}
