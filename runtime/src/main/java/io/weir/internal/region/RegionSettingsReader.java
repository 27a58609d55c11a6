package io.weir.internal.region;

import io.weir.InvalidSettingException;
import io.weir.internal.settings.SettingNames;
import io.weir.internal.settings.SettingsSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Reads {@link RegionSettings}, and refuses what doesn't fit together. Stateless. */
public final class RegionSettingsReader {
  private static final String OWN = "weir.region";
  private static final String MODE = "weir.regions.mode";
  private static final String INTERVAL = "weir.regions.interval";
  private static final String SHARES = "weir.regions.shares";
  private static final String DATA_CENTRE_SHARE = "weir.store.cassandra.share";
  private static final String TIMEOUT = "weir.store.timeout";
  private static final String USUAL_TIMEOUT = "1s";
  private static final String CREATE_SCHEMA = ".create-schema";
  private static final String NEVER = "false";
  private static final Duration USUAL_INTERVAL = Duration.ofSeconds(1);
  private static final int WHOLE = 100;

  private RegionSettingsReader() {}

  /**
   * Reads the settings of regions.
   *
   * @return empty if the application has none
   * @throws InvalidSettingException if they don't fit together; the message names the setting
   */
  public static Optional<RegionSettings> read(SettingsSnapshot now) {
    Optional<String> own = now.find(OWN);
    if (own.isEmpty()) {
      requireNone(now);
      return Optional.empty();
    }
    RegionMode mode = now.choice(MODE, RegionMode.EVENTUAL);
    Map<String, String> stores = stores(now, own.get());
    Map<String, Integer> shares = shares(now);
    checkOthers(now, stores.keySet());
    if (mode == RegionMode.SHARES) {
      check(now, own.get(), shares, stores);
    } else if (!shares.isEmpty()) {
      throw now.invalid(SHARES, "needs " + MODE + " = shares");
    } else if (stores.isEmpty()) {
      throw now.invalid(
          OWN, "needs another region: weir.region.<name>.store, or " + SHARES + " in mode shares");
    } else {
      checkReported(now);
    }
    return Optional.of(
        new RegionSettings(
            own.get(), mode, now.duration(INTERVAL, USUAL_INTERVAL), shares, stores));
  }

  private static void requireNone(SettingsSnapshot now) {
    List<String> names = new ArrayList<>(List.of(MODE, INTERVAL, SHARES));
    now.regions().forEach(region -> names.add(store(region)));
    for (String each : names) {
      if (now.find(each).isPresent()) {
        throw now.invalid(each, "needs " + OWN + ", the name of this region");
      }
    }
  }

  private static Map<String, String> stores(SettingsSnapshot now, String own) {
    Map<String, String> stores = new TreeMap<>();
    for (String region : now.regions()) {
      String address = now.text(store(region), "");
      if (region.equals(own)) {
        throw now.invalid(store(region), "must be of another region: " + own + " is this one");
      }
      if (address.isEmpty()) {
        throw now.invalid(store(region), "must be the address of the store of region " + region);
      }
      stores.put(region, address);
    }
    return stores;
  }

  private static Map<String, Integer> shares(SettingsSnapshot now) {
    Map<String, Integer> shares = new TreeMap<>();
    for (String each : now.list(SHARES)) {
      int at = each.indexOf('@');
      String region = each.substring(0, at);
      if (shares.put(region, Integer.valueOf(each.substring(at + 1))) != null) {
        throw now.invalid(SHARES, "must name " + region + " once");
      }
    }
    return shares;
  }

  private static void check(
      SettingsSnapshot now, String own, Map<String, Integer> shares, Map<String, String> stores) {
    if (shares.size() < 2) {
      throw now.invalid(SHARES, "must name all regions, at least two, as in eu@60,us@40");
    }
    int sum = shares.values().stream().mapToInt(Integer::intValue).sum();
    if (sum != WHOLE) {
      throw now.invalid(SHARES, "must be 100 percent in all, not " + sum);
    }
    if (!shares.containsKey(own)) {
      throw now.invalid(SHARES, "must name this region, " + own);
    }
    for (String region : stores.keySet()) {
      if (!shares.containsKey(region)) {
        throw now.invalid(
            store(region),
            region + " must be one of " + SHARES + ": " + String.join(", ", shares.keySet()));
      }
    }
    requireNone(
        now,
        DATA_CENTRE_SHARE,
        "can't be combined with "
            + SHARES
            + ": both divide each limit. Data centres of one keyspace are one region");
  }

  /** Nodes with a share count in buckets of their own, which reports to whole limits miss. */
  private static void checkReported(SettingsSnapshot now) {
    requireNone(
        now,
        DATA_CENTRE_SHARE,
        "can't be combined with regions, which report to whole limits. Divide each limit by "
            + SHARES
            + " instead");
  }

  /** No region has a share of its keyspace, and to look at it with one would write there. */
  private static void checkOthers(SettingsSnapshot now, Set<String> others) {
    for (String region : others) {
      requireNone(
          now,
          nameFor(region, DATA_CENTRE_SHARE),
          "must not be set, since regions count whole limits or divide them by " + SHARES);
    }
  }

  private static void requireNone(SettingsSnapshot now, String name, String rule) {
    if (!now.text(name, "").isEmpty()) {
      throw now.invalid(name, rule);
    }
  }

  /** Returns the name of the setting for another region's store. */
  public static String store(String region) {
    return SettingNames.REGION + region + ".store";
  }

  /**
   * Reads settings of another region's store by the names that the own store's have: its login and
   * the like, the time-out of 1 s unless set, and what all regions have together, such as {@code
   * weir.secret}. Its table is made by the region's own nodes, as its owner and replicas depend on
   * who makes it.
   *
   * @throws InvalidSettingException by the function, if the table is to be made here
   */
  public static UnaryOperator<String> ofStore(SettingsSnapshot now, String region) {
    return name -> {
      if (!name.startsWith("weir.store.")) {
        return now.find(name).orElse("");
      }
      String its = nameFor(region, name);
      if (!name.endsWith(CREATE_SCHEMA)) {
        return now.text(its, name.equals(TIMEOUT) ? USUAL_TIMEOUT : "");
      }
      if (!now.text(its, NEVER).equals(NEVER)) {
        throw now.invalid(
            its, "must be false or left out: the table is made by the nodes of region " + region);
      }
      return NEVER;
    };
  }

  private static String nameFor(String region, String name) {
    return SettingNames.REGION + region + name.substring("weir".length());
  }
}
