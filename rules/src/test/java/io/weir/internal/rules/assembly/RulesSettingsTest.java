package io.weir.internal.rules.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.spi.ModuleSetting;
import io.weir.spi.ModuleSettings;
import io.weir.spi.PolicySourceProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class RulesSettingsTest {
  private static final Pattern NAMED =
      Pattern.compile("(?m)^\\| `(weir[.](?:rules|usage|anomaly|node)[^`]*)` ");

  @Test
  void thePageOfSettingsNamesThemAll() throws IOException {
    Set<String> told = new TreeSet<>();
    NAMED
        .matcher(Files.readString(Path.of("../docs/settings.md")))
        .results()
        .forEach(found -> told.add(found.group(1)));
    assertEquals(
        new RulesSettings()
            .settings().stream()
                .map(ModuleSetting::name)
                .collect(Collectors.toCollection(TreeSet::new)),
        told);
  }

  @Test
  void areFoundByServiceLoader() {
    assertTrue(types(ServiceLoader.load(ModuleSettings.class)).contains(RulesSettings.class));
    assertEquals(
        List.of(RulesProvider.class), types(ServiceLoader.load(PolicySourceProvider.class)));
  }

  private static <T> List<Class<?>> types(ServiceLoader<T> found) {
    return found.stream().<Class<?>>map(ServiceLoader.Provider::type).toList();
  }
}
