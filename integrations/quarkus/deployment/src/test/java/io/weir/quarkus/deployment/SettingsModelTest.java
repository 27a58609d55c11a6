package io.weir.quarkus.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.quarkus.annotation.processor.documentation.config.model.AbstractConfigItem;
import io.quarkus.annotation.processor.documentation.config.model.ConfigProperty;
import io.quarkus.annotation.processor.documentation.config.model.JavadocElements;
import io.quarkus.annotation.processor.documentation.config.model.ResolvedModel;
import io.quarkus.annotation.processor.documentation.config.util.JacksonMappers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Reads the settings as Quarkus' tools do. */
class SettingsModelTest {
  private static final String FOLDER = "/META-INF/quarkus-config-doc/";

  /** Matches the rows of the page but those for Spring alone. */
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| (`weir[.][^|]*) \\|(?!.*with a starter for Spring Boot)");

  private static final Pattern NAME = Pattern.compile("`([^`]+)`");

  /** Settings that the page lists once, as members of a policy. */
  private static final Predicate<String> MEMBER =
      Pattern.compile("weir\\.(default|application)\\..*").asMatchPredicate();

  private static List<ConfigProperty> properties() throws IOException {
    List<AbstractConfigItem> items =
        read("quarkus-config-model.json", ResolvedModel.class).getConfigRoots().get(0).getItems();
    return items.stream().map(ConfigProperty.class::cast).toList();
  }

  /** Reads JSON by their reader of YAML, which includes it. */
  private static <T> T read(String file, Class<T> type) throws IOException {
    try (InputStream in = SettingsModelTest.class.getResourceAsStream(FOLDER + file)) {
      return JacksonMappers.yamlObjectReader().readValue(Objects.requireNonNull(in), type);
    }
  }

  private static Stream<String> namesOfRow(String row) {
    List<String> names = NAME.matcher(row).results().map(each -> each.group(1)).toList();
    String parent = names.get(0).substring(0, names.get(0).lastIndexOf('.'));
    return names.stream().map(each -> each.startsWith(".") ? parent + each : each);
  }

  @Test
  void listsTheSettingsOfThePage() throws IOException {
    Set<String> ofPage =
        ROW.matcher(Files.readString(Path.of("../../../docs/settings.md")))
            .results()
            .flatMap(each -> namesOfRow(each.group(1)))
            .filter(each -> !each.contains("<"))
            .filter(MEMBER.negate())
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> listed =
        properties().stream()
            .map(each -> each.getPath().property())
            .filter(MEMBER.negate())
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(ofPage, listed);
  }

  @Test
  void describesEachSetting() throws IOException {
    JavadocElements described = read("quarkus-config-javadoc.json", JavadocElements.class);
    for (ConfigProperty each : properties()) {
      String key = each.getSourceType() + "." + each.getSourceElementName();
      String text = described.elements().get(key).description();
      assertFalse(text.isBlank() || text.toLowerCase(Locale.ROOT).contains("spring"), key + text);
    }
  }

  @Test
  void describesTheSameToTheDevUi() throws IOException {
    List<String> described = new ArrayList<>();
    new SettingsProcessor().describe(each -> described.add(each.getPropertyName()));
    assertEquals(properties().stream().map(each -> each.getPath().property()).toList(), described);
  }
}
