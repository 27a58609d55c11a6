package io.weir.internal.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidSettingException;
import io.weir.annotation.By;
import io.weir.annotation.Mode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsSnapshotTest {
  private static String refusal(String name, String value) {
    return assertThrows(
            InvalidSettingException.class, () -> SettingsSnapshot.of(Map.of(name, value)))
        .getMessage();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "weir.enabeld                    | weir.enabled",
        "weir.Enabled                    | weir.enabled",
        "weir.header                     | weir.headers",
        "weir.store.maxbuckets           | weir.store.max-buckets",
        "weir.proxy.trust                | weir.proxy.trusted",
        "weir.cost.post                  | weir.cost.POST",
        "weir.default.limits             | weir.default.limit",
        "weir.application.limits         | weir.application.limit",
        "weir.load.lo                    | weir.load.low",
        "weir.default.exceedBy           | weir.default.exceed-by",
        "weir.policy.Hello.hello.limt    | weir.policy.Hello.hello.limit",
        "weir.policy.Hello.hello.Shadow  | weir.policy.Hello.hello.shadow",
        "weir.polcy.Hello.hello.limit    | weir.policy.Hello.hello.limit"
      })
  void namesTheNearestOfAnUnknownName(String name, String nearest) {
    assertEquals(
        name + " = '1' (given): unknown setting; did you mean " + nearest + "?",
        refusal(name, "1"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "weir.policy./x.limit         | /x     | true",
        "weir.policy./files/*.url     | /files/* | true",
        "weir.policy./x.tier.gold     | /x     | true",
        "weir.policy.*.zip.window     | *.zip  | true",
        "weir.policy.a b.limit        | a b    | false"
      })
  void saysWhatPoliciesCanBeNamed(String name, String policy, boolean isPath) {
    assertEquals(
        name
            + " = '1' (given): the name of a policy must be 1 to 64 letters, digits and . _ -, not "
            + policy
            + (isPath
                ? "; to limit a path, choose a name and set weir.policy.<name>.url to the path"
                : ""),
        refusal(name, "1"));
  }

  @ParameterizedTest
  @CsvSource({"weir.policy./x.limt", "weir.polcy./x.limit", "weir.policy..limit"})
  void suggestsNoNameThatIsInvalid(String name) {
    assertEquals(name + " = '1' (given): unknown setting", refusal(name, "1"));
  }

  @ParameterizedTest
  @CsvSource({
    "weir.default.url, /x",
    "weir.application.url, /x",
    "weir.load.none, 0:100",
    "weir.policy.limit, 1",
    "weir.policy..limit, 1",
    "weir.policy.Hello.hello.tier., 1",
    "weir.cost., 1",
    "weir., 1",
    "weir.store.redis., 1",
    "enabled, true"
  })
  void refusesWhatOnlyLooksLikeAName(String name, String value) {
    assertTrue(refusal(name, value).contains("unknown setting"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "weir.enabled            | yes   | must be true or false",
        "weir.headers            | all   | must be one of ietf, x-ratelimit, x-ratelimit-seconds, draft-6, draft-7, both, none",
        "weir.on-store-failure   | shut  | must be one of local, open, closed",
        "weir.store.max-buckets  | 0     | must be a whole number, 1 to 100,000,000",
        "weir.store.max-buckets  | 100000001 | must be a whole number, 1 to 100,000,000",
        "weir.load.capacity      | many  | must be a whole number, 1 to 10,000,000",
        "weir.load.low           | 60    | must be points of load and percent of the limit such as 60:100,80:0",
        "weir.load.normal        | 80:100,70:50 | loads must increase from point to point, not 70:50 after 80:100",
        "weir.load.critical      | 80:120 | percents must be 0 to 100, not 120",
        "weir.application.mode   | firm  | must be one of hard, soft, elastic",
        "weir.cost.POST          | 1.5   | must be a whole number, 1 to 1,000,000,000",
        "weir.ipv6.prefix        | 129   | must be a whole number, 1 to 128",
        "weir.policy.A.a.mode    | firm  | must be one of hard, soft, elastic",
        "weir.policy.A.a.by      | me    | must be one of user, ip, key, endpoint",
        "weir.policy.A.a.by      | ip,   | must be one of user, ip, key, endpoint",
        "weir.policy.A.a.tier.vip| -1    | must be a whole number, 1 to 1,000,000,000",
        "weir.store.start-timeout | 61s | must be a duration, 1ms to 1m",
        "weir.store.timeout      | 200   | must be a duration, 1ms to 10s; a bare number is seconds: write 200ms for milliseconds",
        "weir.store.timeout      | 11s   | must be a duration, 1ms to 10s",
        "weir.policy.A.a.url     | api/* | must be URL patterns such as /exact, /prefix/*, *.ext or /",
        "weir.policy.A.a.url     | /a*   | must be URL patterns such as /exact, /prefix/*, *.ext or /",
        "weir.policy.A.a.overshoot | 101 | must be a whole number, 0 to 100",
        "weir.policy.Password.reset.overshoot | 101 | must be a whole number, 0 to 100",
        "weir.store.nodes        | 0     | must be a whole number, 1 to 1,000,000",
        "weir.write-back.max-buckets | 0 | must be a whole number, 1 to 100,000,000",
        "weir.write-back.flush-interval | 9ms | must be a duration, 10ms to 10s",
        "weir.write-back.flush-interval | 11 | must be a duration, 10ms to 10s; a bare number is seconds: write 11ms for milliseconds",
        "weir.write-back.flush-interval | soon | must be a duration such as 500ms",
        "weir.prefix             | a{b}  | must be 1 to 64 letters, digits and . _ : -"
      })
  void namesSettingValuePlaceAndRuleOfAMalformedValue(String name, String value, String rule) {
    String message = refusal(name, value);
    assertTrue(message.startsWith(name + " = '" + value + "' (given): " + rule), message);
  }

  @ParameterizedTest
  @CsvSource({
    "weir.secrets, hush",
    "weir.store.passwort, hush",
    "weir.store.redis-password, hush",
    "weir.stor, redis://user:hush@host"
  })
  void keepsWhatMayBeASecretOutOfItsMessages(String name, String value) {
    String message = refusal(name, value);
    assertTrue(message.startsWith(name + " = '…' (given): unknown setting"), message);
    assertFalse(message.contains("hush"), message);
  }

  @Test
  void takesWhatAClusterIsSetUpBy() {
    SettingsSnapshot settings =
        SettingsSnapshot.of(
            Map.of(
                "weir.write-back.flush-interval", "50ms",
                "weir.write-back.max-buckets", "500",
                "weir.store.nodes", "3",
                "weir.prefix", "shop:eu",
                "weir.secret", "äh, @ 'secret'"));
    assertEquals(
        Duration.ofMillis(50), settings.duration("weir.write-back.flush-interval", Duration.ZERO));
    assertEquals("äh, @ 'secret'", settings.text("weir.secret", ""));
  }

  @Test
  void tellsAllMistakesAtOnce() {
    String message =
        assertThrows(
                InvalidSettingException.class,
                () -> SettingsSnapshot.of(Map.of("weir.enabeld", "1", "weir.headers", "all")))
            .getMessage();
    assertTrue(message.contains("weir.enabeld") && message.contains("weir.headers"), message);
  }

  @Test
  void readsTextsNumbersFlagsWordsAndLists() {
    SettingsSnapshot settings =
        SettingsSnapshot.of(
            Map.of(
                "weir.proxy.trusted", " 10.0.0.0/8 ",
                "weir.store.max-buckets", "5000",
                "weir.enabled", "FALSE",
                "weir.default.mode", "Soft",
                "weir.default.by", "ip, USER",
                "weir.default.key", "header:a , query:b"));
    assertEquals("10.0.0.0/8", settings.text("weir.proxy.trusted", ""));
    assertEquals(5000, settings.number("weir.store.max-buckets", 1, 1, 5000));
    assertFalse(settings.flag("weir.enabled", true));
    assertEquals(Mode.SOFT, settings.choice("weir.default.mode", Mode.HARD));
    assertEquals(
        Optional.of(List.of(By.IP, By.USER)),
        settings.find("weir.default.by", ValueSyntax.list(ValueSyntax.choice(By.class))));
    assertEquals(List.of("header:a", "query:b"), settings.list("weir.default.key"));
    assertEquals(Optional.empty(), settings.find("weir.config"));
    assertEquals("weir.properties", settings.text("weir.config", "weir.properties"));
  }

  @Test
  void aStoreHasNamesOfItsOwn() {
    assertEquals(
        "x",
        SettingsSnapshot.of(Map.of("weir.store.mine.user", "x")).text("weir.store.mine.user", ""));
  }

  @Test
  void aReadersOwnRangeNamesTheSettingToo() {
    SettingsSnapshot settings = SettingsSnapshot.of(Map.of("weir.ipv6.prefix", "100"));
    assertEquals(
        "weir.ipv6.prefix = '100' (given): must be a whole number, 1 to 64",
        assertThrows(
                InvalidSettingException.class, () -> settings.number("weir.ipv6.prefix", 64, 1, 64))
            .getMessage());
  }

  @Test
  void aPolicyIsFoundBeforeTheMemberAtTheEnd() {
    assertEquals(Optional.of("A.b.c"), SettingNames.policyOf("weir.policy.A.b.c.limit"));
    assertEquals(Optional.of("A.b"), SettingNames.policyOf("weir.policy.A.b.tier.gold.eu"));
    assertEquals(Optional.of("A.limit"), SettingNames.policyOf("weir.policy.A.limit.window"));
    assertEquals(Optional.empty(), SettingNames.policyOf("weir.default.limit"));
  }
}
