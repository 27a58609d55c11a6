package io.weir.internal.module;

import io.weir.spi.ModuleSetting;
import io.weir.spi.ModuleSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Declares the settings of a kind of store, and holds their values since it was opened.
 *
 * <p>Immutable.
 */
public abstract class StoreSettings implements ModuleSettings {
  private static final SettingList OF_WEIR = SettingList.ofModule();

  private static final Setting<Duration> STORE_TIMEOUT =
      OF_WEIR.duration(
          "weir.store.timeout",
          Duration.ofMillis(100),
          Duration.ofMillis(1),
          Duration.ofSeconds(10));

  private static final Setting<Integer> MAX_BUCKETS =
      OF_WEIR.number("weir.write-back.max-buckets", 100_000, 1, 100_000_000);

  private final SettingList declared;
  private final Map<Setting<?>, Object> values = new HashMap<>();

  /**
   * Reads all values.
   *
   * @param settings returns the value of a setting by its full name; the empty string if it isn't
   *     set
   * @throws IllegalArgumentException if one is malformed; the message names it
   */
  protected StoreSettings(SettingList declared, UnaryOperator<String> settings) {
    this.declared = declared;
    Stream.of(OF_WEIR, declared)
        .flatMap(each -> each.settings().stream())
        .forEach(each -> values.put(each, each.read(settings)));
  }

  @Override
  public final List<ModuleSetting> settings() {
    return declared.declarations();
  }

  /** Returns the value of a setting of this kind of store, or its default if it isn't set. */
  @SuppressWarnings("unchecked") // it was read by the setting itself
  public final <T> T get(Setting<T> setting) {
    return (T) Objects.requireNonNull(values.get(setting), setting.name());
  }

  /** Returns {@code weir.store.timeout}, at most 10 s. */
  public final Duration storeTimeout() {
    return get(STORE_TIMEOUT);
  }

  /** Returns {@code weir.write-back.max-buckets}, 1 to 100,000,000. */
  public final int maxBuckets() {
    return get(MAX_BUCKETS);
  }
}
