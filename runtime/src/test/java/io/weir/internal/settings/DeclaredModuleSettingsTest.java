package io.weir.internal.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidSettingException;
import io.weir.spi.ModuleSetting;
import io.weir.spi.ModuleSettings;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings that a module declares by META-INF/services. */
class DeclaredModuleSettingsTest {
  @TempDir Path directory;

  /** As a module for rules has them. */
  public static final class Rules implements ModuleSettings {
    @Override
    public List<ModuleSetting> settings() {
      return List.of(
          ModuleSetting.text("weir.rules", ""),
          ModuleSetting.number("weir.rules.pool", 4, 1, 100),
          ModuleSetting.duration(
              "weir.rules.timeout",
              Duration.ofMillis(50),
              Duration.ofMillis(1),
              Duration.ofSeconds(10)),
          ModuleSetting.flag("weir.rules.migrate", true),
          ModuleSetting.word("weir.rules.mode", "strict", List.of("strict", "loose")));
    }
  }

  /** Takes a name that is Weir's own. */
  public static final class Greedy implements ModuleSettings {
    @Override
    public List<ModuleSetting> settings() {
      return List.of(ModuleSetting.flag("weir.enabled", false));
    }
  }

  /** Forgets its kind of store. */
  public static final class Partial implements ModuleSettings {
    @Override
    public List<ModuleSetting> settings() {
      return List.of(ModuleSetting.text("weir.store.mine.user", ""));
    }
  }

  /** As the module of a store has it. */
  public static final class Mine implements ModuleSettings {
    @Override
    public List<ModuleSetting> settings() {
      return List.of(ModuleSetting.number("weir.store.mine.pool", 4, 1, 100));
    }

    @Override
    public Set<String> storeKinds() {
      return Set.of("mine");
    }
  }

  private LiveSettings load(Class<?> module, Map<String, String> given) throws IOException {
    Path services = Files.createDirectories(directory.resolve("META-INF/services"));
    Files.writeString(services.resolve(ModuleSettings.class.getName()), module.getName());
    try (URLClassLoader loader =
        new URLClassLoader(
            new URL[] {directory.toUri().toURL()},
            DeclaredModuleSettingsTest.class.getClassLoader())) {
      return LiveSettings.load(loader, given);
    }
  }

  private String mistake(Map<String, String> given) {
    return String.valueOf(
        assertThrows(InvalidSettingException.class, () -> load(Rules.class, given)).getMessage());
  }

  @Test
  void areKnownAndHaveDefaults() throws IOException {
    LiveSettings settings =
        load(Rules.class, Map.of("weir.rules", "jdbc:h2:mem:x", "weir.rules.pool", "8"));
    assertEquals("jdbc:h2:mem:x", settings.value("weir.rules"));
    assertEquals("8", settings.value("weir.rules.pool"));
    assertEquals("50ms", settings.value("weir.rules.timeout"));
    assertEquals("true", settings.value("weir.rules.migrate"));
    assertEquals("", settings.value("weir.prefix"), "Weir's own has no default here");
  }

  @Test
  void withoutTheModuleTheMessageSaysWhatIsMissing() {
    for (String name :
        List.of("weir.rules", "weir.rules.pool", "weir.usage", "weir.usage.interval")) {
      InvalidSettingException mistake =
          assertThrows(InvalidSettingException.class, () -> SettingsSnapshot.of(Map.of(name, "8")));
      assertEquals(
          name + " = '8' (given): `weir.rules` needs weir-rules on the class path",
          mistake.getMessage());
    }
  }

  @Test
  void aPasswordInAnAddressIsNotShown() {
    Map<String, String> given = Map.of("weir.rules", "jdbc:h2:file:x;USER=a;PASSWORD=hidden");
    InvalidSettingException mistake =
        assertThrows(InvalidSettingException.class, () -> SettingsSnapshot.of(given));
    assertFalse(String.valueOf(mistake.getMessage()).contains("hidden"));
  }

  @Test
  void aMisspelledNameIsAnError() {
    assertEquals(
        "weir.rules.timout = '1s' (init parameter): unknown setting; did you mean"
            + " weir.rules.timeout?",
        mistake(Map.of("weir.rules.timout", "1s")));
  }

  @Test
  void aValueThatDoesNotFitIsAnError() {
    assertTrue(mistake(Map.of("weir.rules.pool", "0")).contains("1 to 100"));
    assertTrue(mistake(Map.of("weir.rules.timeout", "1m")).contains("weir.rules.timeout"));
    assertTrue(mistake(Map.of("weir.rules.migrate", "yes")).contains("must be true or false"));
    assertTrue(mistake(Map.of("weir.rules.mode", "odd")).contains("must be one of strict, loose"));
  }

  @Test
  void aStoreDeclaresNamesAndValuesOfItsKind() throws IOException {
    LiveSettings settings = load(Mine.class, Map.of("weir.store.yours.pol", "0"));
    assertEquals("4", settings.value("weir.store.mine.pool"));
    Map<String, String> wrong = Map.of("weir.store.mine.pol", "1", "weir.store.mine.pool", "0");
    String message =
        String.valueOf(
            assertThrows(InvalidSettingException.class, () -> load(Mine.class, wrong))
                .getMessage());
    assertTrue(message.contains("did you mean weir.store.mine.pool?"), message);
    assertTrue(message.contains("1 to 100"), message);
  }

  @Test
  void aStoreCantDeclareNamesWithoutItsKind() {
    IllegalStateException mistake =
        assertThrows(IllegalStateException.class, () -> load(Partial.class, Map.of()));
    assertEquals(
        Partial.class.getName()
            + " declares the setting weir.store.mine.user, whose kind must be one of its"
            + " storeKinds()",
        mistake.getMessage());
  }

  @Test
  void namesOfWeirsOwnAreRefused() {
    IllegalStateException mistake =
        assertThrows(IllegalStateException.class, () -> load(Greedy.class, Map.of()));
    assertTrue(String.valueOf(mistake.getMessage()).contains("weir.enabled"));
    assertThrows(IllegalArgumentException.class, () -> ModuleSetting.text("rules.pool", ""));
  }
}
