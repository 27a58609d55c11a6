package io.weir.internal.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidSettingException;
import io.weir.internal.settings.SettingsSnapshot;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RegionSettingsReaderTest {
  /** Reads settings that are written as lines of a file are, separated by blanks. */
  private static Optional<RegionSettings> read(String lines) {
    return RegionSettingsReader.read(SettingsSnapshot.of(settings(lines)));
  }

  private static Map<String, String> settings(String lines) {
    Map<String, String> settings = new HashMap<>();
    for (String line : lines.split(" ")) {
      int equal = line.indexOf('=');
      settings.put("weir." + line.substring(0, equal), line.substring(equal + 1));
    }
    return settings;
  }

  @Test
  void isEmptyWithoutRegions() {
    assertEquals(Optional.empty(), read("store=inprocess:"));
  }

  @Test
  void readsSharesInTheOrderOfNames() {
    RegionSettings settings =
        read("region=eu regions.mode=shares regions.shares=us@35,eu@45,ap-1@20").orElseThrow();
    assertEquals("eu", settings.own());
    assertEquals(RegionMode.SHARES, settings.mode());
    assertEquals(List.of("ap-1", "eu", "us"), List.copyOf(settings.shares().keySet()));
    assertEquals(List.of(20, 45, 35), List.copyOf(settings.shares().values()));
  }

  @Test
  void readsTheStoresOfOtherRegions() {
    RegionSettings settings =
        read("region=eu region.us.store=redis://us region.ap.store=jdbc:postgresql://ap/weir")
            .orElseThrow();
    assertEquals(RegionMode.EVENTUAL, settings.mode());
    assertEquals(Duration.ofSeconds(1), settings.interval());
    assertEquals(Map.of("ap", "jdbc:postgresql://ap/weir", "us", "redis://us"), settings.stores());
    assertEquals(List.of("ap", "eu", "us"), settings.names());
  }

  @Test
  void readsSettingsOfAnotherStoreAsThoseOfTheOwn() {
    UnaryOperator<String> us =
        RegionSettingsReader.ofStore(
            SettingsSnapshot.of(
                settings(
                    "secret=s prefix=shop store.timeout=50ms store.redis.password=own"
                        + " region.us.store.redis.user=weir region.ap.store.timeout=2s")),
            "us");
    assertEquals("s", us.apply("weir.secret"));
    assertEquals("shop", us.apply("weir.prefix"));
    assertEquals("weir", us.apply("weir.store.redis.user"));
    assertEquals(
        "", us.apply("weir.store.redis.password"), "a password is sent only where it is set");
    assertEquals("1s", us.apply("weir.store.timeout"));
    assertEquals("false", us.apply("weir.store.postgres.create-schema"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres", "cassandra"})
  void noTableOfAnotherRegionIsMade(String kind) {
    String name = "weir.store." + kind + ".create-schema";
    String theirs = "region.us.store." + kind + ".create-schema=";
    assertEquals("false", ofUs(theirs + "false").apply(name));
    String message =
        assertThrows(InvalidSettingException.class, () -> ofUs(theirs + "true").apply(name))
            .getMessage();
    assertTrue(message.startsWith("weir.region.us.store." + kind + ".create-schema "), message);
    assertTrue(message.endsWith("the table is made by the nodes of region us"), message);
  }

  private static UnaryOperator<String> ofUs(String line) {
    return RegionSettingsReader.ofStore(SettingsSnapshot.of(settings(line)), "us");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "regions.mode=shares | weir.regions.mode | needs weir.region, the name of this region",
        "regions.shares=eu@50,us@50 | weir.regions.shares | needs weir.region,",
        "regions.interval=2s | weir.regions.interval | needs weir.region,",
        "region.us.store=redis://us | weir.region.us.store | needs weir.region,",
        "region=EU region.us.store=redis://us | weir.region | must be 1 to 32 of the letters a-z",
        "region=false region.us.store=redis://us | weir.region | neither true nor false, as YAML",
        "region=eu region.US.store=redis://us | weir.region.US.store | the name of a region must be",
        "region=eu region.us.stoer=redis://us | weir.region.us.stoer | unknown setting",
        "region=eu region.us.store.timeuot=1s | weir.region.us.store.timeuot"
            + " | did you mean weir.region.us.store.timeout?",
        "region=eu region.us.store.reserve=5 | weir.region.us.store.reserve | unknown setting",
        "region=eu region.us.store.timeout=20s | weir.region.us.store.timeout | must be a duration",
        "region=eu region.us.store.timeout=2s | weir.region.us.store | must be the address",
        "region=eu region.us.store= | weir.region.us.store | must be the address",
        "region=eu region.eu.store=redis://eu | weir.region.eu.store | eu is this one",
        "region=eu | weir.region | needs another region",
        "region=eu regions.mode=fast | weir.regions.mode | must be one of eventual, shares",
        "region=eu regions.interval=5ms region.us.store=redis://us | weir.regions.interval"
            + " | must be a duration",
        "region=eu regions.shares=eu@50,us@50 | weir.regions.shares"
            + " | needs weir.regions.mode = shares",
        "region=eu regions.mode=shares | weir.regions.shares | at least two",
        "region=eu regions.mode=shares regions.shares=eu@99 | weir.regions.shares | at least two",
        "region=eu regions.mode=shares regions.shares=eu@60,us@50 | weir.regions.shares"
            + " | must be 100 percent in all, not 110",
        "region=eu regions.mode=shares regions.shares=eu@40,us@50 | weir.regions.shares"
            + " | must be 100 percent in all, not 90",
        "region=eu regions.mode=shares regions.shares=ap@60,us@40 | weir.regions.shares"
            + " | must name this region, eu",
        "region=eu regions.mode=shares regions.shares=eu@50,us@25,us@25 | weir.regions.shares"
            + " | must name us once",
        "region=eu regions.mode=shares regions.shares=eu@100,us@0 | weir.regions.shares"
            + " | must be regions and percentages",
        "region=eu regions.mode=shares regions.shares=eu:50,us:50 | weir.regions.shares"
            + " | must be regions and percentages",
        "region=eu regions.mode=shares regions.shares=eu@50,us@50 region.ap.store=redis://ap"
            + " | weir.region.ap.store | ap must be one of weir.regions.shares: eu, us",
        "region=eu regions.mode=shares regions.shares=eu@50,us@50 store.cassandra.share=50"
            + " | weir.store.cassandra.share | can't be combined with weir.regions.shares",
        "region=eu region.us.store=redis://us store.cassandra.share=50"
            + " | weir.store.cassandra.share | can't be combined with regions, which report to whole",
        "region=eu region.us.store=cassandra://us region.us.store.cassandra.share=50"
            + " | weir.region.us.store.cassandra.share | must not be set",
        "region=eu regions.mode=shares regions.shares=eu@50,us@50 region.us.store=cassandra://us"
            + " region.us.store.cassandra.share=50"
            + " | weir.region.us.store.cassandra.share | must not be set"
      })
  void refusesByName(String lines, String name, String rule) {
    String message = assertThrows(InvalidSettingException.class, () -> read(lines)).getMessage();
    assertTrue(message.startsWith(name + " "), message);
    assertTrue(message.contains(rule), message);
  }
}
