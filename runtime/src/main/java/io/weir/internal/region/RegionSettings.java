package io.weir.internal.region;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Holds the settings of regions: the name of the own one, and how it keeps limits together with the
 * others. Made by {@link RegionSettingsReader}, which refuses mistakes by the names of settings.
 *
 * <p>Immutable.
 *
 * @param own {@code weir.region}, {@code [a-z0-9-]{1,32}} as all names of regions
 * @param mode {@code weir.regions.mode}
 * @param interval {@code weir.regions.interval}: the time between two reports to a region
 * @param shares {@code weir.regions.shares}: the percentage of each region, the own one included,
 *     100 in all, in the order of names; empty in mode EVENTUAL
 * @param stores {@code weir.region.<name>.store}: the store's address of each other region, in the
 *     order of names; in mode SHARES it may be missing
 */
public record RegionSettings(
    String own,
    RegionMode mode,
    Duration interval,
    Map<String, Integer> shares,
    Map<String, String> stores) {
  /** Copies the maps, in the order of names. */
  public RegionSettings {
    shares = Collections.unmodifiableMap(new TreeMap<>(shares));
    stores = Collections.unmodifiableMap(new TreeMap<>(stores));
  }

  /** Returns the names of all regions, the own one included, in order. */
  public List<String> names() {
    TreeSet<String> names = new TreeSet<>(stores.keySet());
    names.addAll(shares.keySet());
    names.add(own);
    return List.copyOf(names);
  }
}
