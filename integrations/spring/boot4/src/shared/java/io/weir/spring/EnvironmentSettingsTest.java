package io.weir.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.CompositePropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;

@EnabledIf("io.weir.spring.BootOfToday#isOneOfTwo")
class EnvironmentSettingsTest {
  private final StandardEnvironment environment = new StandardEnvironment();
  private final EnvironmentSettings settings = new EnvironmentSettings(environment);

  EnvironmentSettingsTest() {
    environment
        .getPropertySources()
        .forEach(each -> environment.getPropertySources().remove(each.getName()));
  }

  private void last(String name, Map<String, Object> values) {
    environment.getPropertySources().addLast(new MapPropertySource(name, values));
  }

  private void variables(Map<String, Object> values) {
    environment
        .getPropertySources()
        .addLast(new SystemEnvironmentPropertySource("systemEnvironment", values));
  }

  private void yaml(String text) throws IOException {
    new YamlPropertySourceLoader()
        .load(
            "application.yaml",
            new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8), "application.yaml"))
        .forEach(environment.getPropertySources()::addLast);
  }

  @Test
  void namesStayAsTheyAreWrittenAndTheFirstSourceWins() {
    last("strong", Map.of("weir.policy.Search.search-all.limit", 5, "spring.x", "y"));
    last("weak", Map.of("weir.policy.Search.search-all.limit", 6, "weir.store.max-buckets", "7"));
    assertEquals(
        Map.of("weir.policy.Search.search-all.limit", "5", "weir.store.max-buckets", "7"),
        settings.get());
  }

  @Test
  void theApplicationOfTheRulesHasItsNameUnlessTheyNameOne() {
    last("application", Map.of("spring.application.name", "orders"));
    assertEquals(Map.of(), settings.get(), "without rules it would be an unknown setting");
    variables(Map.of("WEIR_RULES", "datasource:"));
    assertEquals(
        Map.of("WEIR_RULES", "datasource:", "weir.rules.application", "orders"), settings.get());
    last("rules", Map.of("weir.rules.application", "shop", "weir.rules", "datasource:"));
    assertEquals("shop", settings.get().get("weir.rules.application"));
  }

  @Test
  void yamlNestsNamesAsItLikes() throws IOException {
    yaml(
        """
        weir:
          policy:
            search.v2.limit: 1
            search:
              v3:
                window: 10s
                tier:
                  gold: 3
            "[a.b]":
              limit: 4
            pages:
              url: ["/login", "/admin/*"]
          proxy:
            trusted:
              - 10.0.0.0/8
              - 10.1.0.1
          enabled: true
          secret: s${part}
        part: 1
        """);
    assertEquals(
        Map.of(
            "weir.policy.search.v2.limit", "1",
            "weir.policy.search.v3.window", "10s",
            "weir.policy.search.v3.tier.gold", "3",
            "weir.policy.a.b.limit", "4",
            "weir.policy.pages.url", "/login,/admin/*",
            "weir.proxy.trusted", "10.0.0.0/8,10.1.0.1",
            "weir.enabled", "true",
            "weir.secret", "s1"),
        settings.get());
  }

  @Test
  void itemsOfAListStayInOrderAndDontMixWithThoseOfAWeakerSource() {
    last("strong", Map.of("weir.proxy.trusted[1]", "b", "weir.proxy.trusted[0]", "a"));
    last("weak", Map.of("weir.proxy.trusted[2]", "c", "weir.control.hosts", List.of("d", "e")));
    assertEquals(Map.of("weir.proxy.trusted", "a,b", "weir.control.hosts", "d,e"), settings.get());
  }

  @Test
  void aVariableOverridesTheSourcesBelowIt() {
    last("strong", Map.of("weir.zone", "UTC"));
    variables(
        Map.of(
            "WEIR_ZONE", "Europe/Berlin",
            "WEIR_POLICY_SEARCH_V2_LIMIT", "9",
            "WEIR_STORE_MAXBUCKETS", "8",
            "weir.headers", "none",
            "PATH", "/bin"));
    last("weak", Map.of("weir.policy.search.v2.limit", 1, "weir.store.max-buckets", 1));
    assertEquals(
        Map.of(
            "weir.zone", "UTC",
            "weir.policy.search.v2.limit", "9",
            "weir.store.max-buckets", "8",
            "weir.headers", "none",
            "WEIR_ZONE", "Europe/Berlin",
            "WEIR_POLICY_SEARCH_V2_LIMIT", "9",
            "WEIR_STORE_MAXBUCKETS", "8"),
        settings.get());
  }

  @Test
  void aPlaceholderWithoutAValueIsReportedWithTheSetting() {
    last("only", Map.of("weir.secret", "${of.nobody}"));
    String message = assertThrows(IllegalArgumentException.class, settings::get).getMessage();
    assertTrue(message.startsWith("weir.secret: "), message);
    assertTrue(message.contains("of.nobody"), message);
  }

  @Test
  void aPlaceholderWithoutAValueDoesntShowTheRest() {
    last("only", Map.of("weir.store", "redis://weir:pass-word@${of.nobody}"));
    IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, settings::get);
    assertFalse(thrown.getMessage().contains("pass-word"), thrown.getMessage());
    assertNull(thrown.getCause());
  }

  @Test
  void sourcesOfACompositeAreReadUnlessTheyCantListTheirNames() {
    CompositePropertySource both = new CompositePropertySource("both");
    both.addPropertySource(
        new PropertySource<Object>("vault", new Object()) {
          @Override
          public Object getProperty(String name) {
            return name.equals("weir.headers") ? "none" : null;
          }
        });
    both.addPropertySource(new MapPropertySource("map", Map.of("weir.zone", "UTC")));
    environment.getPropertySources().addLast(both);
    assertEquals(Map.of("weir.zone", "UTC"), settings.get());
  }

  @Test
  void theOriginIsALineWhereThereIsOne() throws IOException {
    yaml("weir:\n  zone: UTC\n  proxy:\n    trusted: [a, b]\n");
    last("weak", Map.of("weir.headers", "none", "weir.zone", "+01:00"));
    assertTrue(
        settings.origin("weir.zone").orElseThrow().contains("application.yaml] - 2:9"),
        () -> settings.origin("weir.zone").toString());
    assertTrue(settings.origin("weir.proxy.trusted").orElseThrow().contains(" - 4:"));
    assertEquals(Optional.of("weak"), settings.origin("weir.headers"));
    assertEquals(Optional.empty(), settings.origin("weir.store"));
  }

  /** As of a Service named weir-headers, whose variables hide no setting. */
  @Test
  void variablesThatDescribeServicesAreNoSettings() {
    variables(
        Map.of(
            "WEIR_STORE_PORT",
            "tcp://10.0.0.1:80",
            "WEIR_STORE_SERVICE_HOST",
            "10.0.0.1",
            "WEIR_HEADERS",
            "none"));
    last("weak", Map.of("weir.store.port", "80"));
    assertEquals(Map.of("WEIR_HEADERS", "none", "weir.store.port", "80"), settings.get());
  }
}
