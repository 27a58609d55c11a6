package io.weir.internal.settings;

import io.weir.LoadCurve;
import io.weir.annotation.Priority;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Maps each priority to the load curve that {@code weir.load.<priority>} sets, and follows the
 * settings.
 *
 * <p>Safe for concurrent use.
 */
public final class LoadCurveSettings implements Function<Priority, LoadCurve> {
  private volatile Map<Priority, LoadCurve> curves = Map.of();

  public LoadCurveSettings(LiveSettings settings) {
    settings.follow(this::prepare);
  }

  private Runnable prepare(SettingsSnapshot next) {
    Map<Priority, LoadCurve> read = new EnumMap<>(Priority.class);
    for (Priority priority : Priority.values()) {
      read.put(priority, curve(priority, next));
    }
    return () -> curves = read;
  }

  private static LoadCurve curve(Priority priority, SettingsSnapshot settings) {
    return priority == Priority.NONE
        ? LoadCurve.of(priority)
        : settings
            .find(SettingNames.loadCurve(priority), LoadCurve::parse)
            .orElse(LoadCurve.of(priority));
  }

  @Override
  public LoadCurve apply(Priority priority) {
    return curves.getOrDefault(priority, LoadCurve.of(priority));
  }
}
