package io.weir.internal.module;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.InvalidSettingException;
import io.weir.spi.ModuleSetting;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingListTest {
  private static final String NAME = "weir.store.mine.value";
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final SettingList ofStore = SettingList.ofStore("mine");
  private final SettingList ofModule = SettingList.ofModule();

  private enum Speed {
    SLOW,
    FAST
  }

  private static <T> T read(Setting<T> setting, String value) {
    return setting.read(name -> name.equals(NAME) ? value : "");
  }

  private static String message(Setting<?> setting, String value) {
    return assertThrows(IllegalArgumentException.class, () -> read(setting, value)).getMessage();
  }

  @ParameterizedTest
  @CsvSource({
    "500ms, PT0.5S",
    "' 10s ', PT10S",
    "7, PT7S",
    "2 H, PT2H",
    "1m, PT1M",
    "1d, PT24H",
    "pt3s, PT3S",
    "' ', PT5S"
  })
  void durationsAreReadAsPeopleWriteThem(String text, Duration expected) {
    Duration usual = Duration.ofSeconds(5);
    assertEquals(expected, read(ofStore.duration("value", usual, usual, Duration.ofDays(2)), text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1s", "soon", "61s", "1.5s", "999999999999999999d"})
  void aDurationOutOfRangeIsRefusedByName(String text) {
    assertEquals(
        NAME
            + " must be a duration such as 500ms or 10s (a bare number is seconds), at most"
            + " 1 minute, not '"
            + text
            + "'",
        message(ofStore.optionalDuration("value", MINUTE), text));
  }

  @Test
  void anOptionalDurationIsEmptyUnlessItIsSet() {
    Setting<Optional<Duration>> setting = ofStore.optionalDuration("value", MINUTE);
    assertEquals(Optional.empty(), read(setting, " "));
    assertEquals(Optional.of(MINUTE), read(setting, "1m"));
  }

  @Test
  void numbersKeepToTheirRange() {
    Setting<Integer> setting = ofStore.number("value", 0, 1, 100);
    assertEquals(64, read(setting, "+64"));
    assertEquals(0, read(setting, ""), "the default may be outside");
    assertEquals(100, read(setting, " 100 "));
    for (String wrong : List.of("0", "101", "x", "99999999999999999999", "1.0")) {
      assertEquals(
          NAME + " must be a whole number from 1 to 100, not '" + wrong + "'",
          message(setting, wrong));
    }
  }

  @Test
  void flagsAreTrueOrFalse() {
    Setting<Boolean> setting = ofStore.flag("value", true);
    assertEquals(false, read(setting, "FALSE"));
    assertEquals(true, read(setting, ""));
    assertEquals(NAME + " must be true or false, not 'yes'", message(setting, "yes"));
  }

  @Test
  void wordsAreReadInAnyCase() {
    Setting<Speed> choice = ofStore.choice("value", Speed.FAST);
    assertEquals(Speed.SLOW, read(choice, " Slow "));
    assertEquals(Speed.FAST, read(choice, ""));
    assertEquals(NAME + " must be slow or fast, not 'odd'", message(choice, "odd"));
    assertEquals("off", read(ofModule.word(NAME, "on", List.of("on", "off")), "OFF"));
  }

  @Test
  void aTextKeepsItsBlanks() {
    assertEquals(" a b ", read(ofStore.text("value"), " a b "));
    assertEquals("  ", read(ofStore.text("value", "usual"), "  "));
  }

  @Test
  void onlyAModuleReadsATextThatIsSetToNothing() {
    assertEquals("usual", read(ofStore.text("value", "usual"), ""));
    assertEquals("", read(ofModule.text(NAME, "usual"), ""));
  }

  @Test
  void aCompleteMessageStaysAsItIs() {
    Setting<String> setting =
        ofModule.parsed(
            NAME,
            "",
            text -> {
              throw new InvalidSettingException("complete");
            });
    assertEquals("complete", message(setting, "x"));
  }

  @Test
  void aModuleDeclaresItsRangesAndAStoreItsNames() {
    ofModule.number(NAME, 3, 1, 100);
    ofStore.number("value", 3, 1, 100);
    ModuleSetting checked = ofModule.declarations().get(0);
    assertEquals(
        List.of(NAME, ModuleSetting.Kind.NUMBER, "3", 1L, 100L),
        List.of(
            checked.name(), checked.kind(), checked.defaultValue(), checked.min(), checked.max()));
    ModuleSetting named = ofStore.declarations().get(0);
    assertEquals(
        List.of(NAME, ModuleSetting.Kind.TEXT, ""),
        List.of(named.name(), named.kind(), named.defaultValue()));
  }

  @Test
  void aStoreIsntOpenedWithAMalformedValue() {
    Setting<Integer> number = ofStore.number("value", 3, 1, 100);
    ofStore.ofWeir("weir.prefix", "weir", text -> text);
    assertEquals(3, new Store(ofStore, name -> "").get(number));
    assertEquals(1, new Store(ofStore, name -> "").settings().size(), "Weir's own isn't declared");
    assertThrows(IllegalArgumentException.class, () -> new Store(ofStore, name -> "odd"));
  }

  private static final class Store extends StoreSettings {
    Store(SettingList all, UnaryOperator<String> settings) {
      super(all, settings);
    }

    @Override
    public Set<String> storeKinds() {
      return Set.of("mine");
    }
  }
}
