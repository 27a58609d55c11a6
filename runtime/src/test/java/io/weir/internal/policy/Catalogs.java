package io.weir.internal.policy;

import io.weir.adapter.EndpointType;
import io.weir.annotation.Algorithm;
import io.weir.internal.policy.draft.ApplicationCapabilities;
import io.weir.internal.region.RegionShares;
import io.weir.internal.settings.LiveSettings;
import io.weir.internal.settings.SettingsSnapshot;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Makes catalogs over given settings, and reads their policies. */
final class Catalogs {
  private Catalogs() {}

  static PolicyCatalog plain() {
    return with(Map.of());
  }

  static PolicyCatalog with(Map<String, String> settings) {
    return over(LiveSettings.of(SettingsSnapshot.of(settings)));
  }

  /** Makes a catalog of an application that has an extension of each kind. */
  static PolicyCatalog over(LiveSettings settings) {
    return over(settings, RegionShares.NONE);
  }

  /** Makes the same for one of several regions. */
  static PolicyCatalog over(LiveSettings settings, RegionShares shares) {
    return new PolicyCatalog(
        settings,
        new ApplicationCapabilities(
            Set.of("tenant"),
            Set.of("spend"),
            Set.of("risky", "ofBody"),
            Set.of("ofBody"),
            EnumSet.allOf(Algorithm.class),
            spec -> true,
            "the store",
            shares));
  }

  static List<LivePolicy> of(Class<?> type, String method) {
    return of(plain(), type, method, EndpointType.JAXRS);
  }

  static List<LivePolicy> of(
      PolicyCatalog catalog, Class<?> type, String method, EndpointType site) {
    return catalog.of(type, method(type, method), site);
  }

  static List<String> names(Class<?> type, String method) {
    return of(type, method).stream().map(LivePolicy::name).toList();
  }

  /** Returns the method that runs, as adapters get it: never a bridge. */
  static Method method(Class<?> type, String name) {
    return Arrays.stream(type.getMethods())
        .filter(each -> each.getName().equals(name) && !each.isBridge())
        .findFirst()
        .orElseThrow();
  }

  /** All types of endpoints that Weir's own adapters have. */
  static List<EndpointType> types() {
    return List.of(EndpointType.JAXRS, EndpointType.SERVLET, EndpointType.METHOD);
  }

  static EndpointType type(String id) {
    return types().stream().filter(each -> each.id().equals(id)).findFirst().orElseThrow();
  }
}
