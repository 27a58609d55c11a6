package io.weir.internal.policy;

import io.weir.Policy;
import io.weir.annotation.By;
import io.weir.internal.key.KeySyntax;
import io.weir.internal.settings.SettingsSnapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Warns of policies that are odd but not wrong, once each.
 *
 * <p>Hold the catalog's lock for all methods.
 */
final class PolicyWarningLog {
  private static final System.Logger LOG = System.getLogger("io.weir.internal.policy");

  private final Set<String> logged = new HashSet<>();
  private final Set<String> conditionsOfUsers;

  /** Starts a log of an application, whose conditions of these names need the user. */
  PolicyWarningLog(Set<String> conditionsOfUsers) {
    this.conditionsOfUsers = conditionsOfUsers;
  }

  /**
   * Warns of keys that callers can invent: such callers have as many buckets as they like, unless
   * another policy counts them too.
   *
   * @param bound all policies of the place
   */
  void ofInventedKeys(String place, Collection<LivePolicy> bound) {
    for (LivePolicy each : bound) {
      if (!isInvented(each)) {
        return;
      }
    }
    bound.forEach(each -> ofInventedKey(place, each));
  }

  /** Warns of invented keys by URL, where policies count together if their patterns overlap. */
  void ofInventedKeys(UrlPolicies urls) {
    for (LivePolicy each : urls.all()) {
      List<LivePolicy> together = urls.covering(each);
      if (together.stream().allMatch(PolicyWarningLog::isInvented)) {
        ofInventedKey(each.describe(), each);
      }
    }
  }

  /**
   * Warns of CRITICAL policies that apply together with less critical ones.
   *
   * @param bound the policies of the place
   * @param together all that apply there
   */
  void ofPriorities(String place, Collection<LivePolicy> bound, Collection<LivePolicy> together) {
    for (LivePolicy each : bound) {
      CriticalPriorityCheck.stricter(each, together)
          .ifPresent(
              names ->
                  of(
                      each.name()
                          + " ("
                          + place
                          + ") is CRITICAL, but under load the strictest decides, and "
                          + names
                          + " also apply there"));
    }
  }

  /** Warns of a policy by address that failed sign-ins never meet, because of its condition. */
  void ofLateCondition(String place, LivePolicy bound) {
    Policy policy = bound.current();
    if (policy.by().contains(By.IP)
        && !policy.by().contains(By.USER)
        && conditionsOfUsers.contains(policy.when())) {
      of(
          policy.name()
              + " ("
              + place
              + ") counts by IP, but misses failed sign-ins, since its condition "
              + policy.when()
              + " needs the user; if it doesn't, let its needsUser() return false");
    }
  }

  /** Returns whether callers can have any number of keys; a sharded key has a fixed number. */
  private static boolean isInvented(LivePolicy bound) {
    return bound.by().contains(By.KEY) && !bound.keys().stream().allMatch(KeySyntax::isSharded);
  }

  void ofUnknown(
      SettingsSnapshot settings,
      Collection<LivePolicy> ofEndpoints,
      Collection<LivePolicy> ofPaths) {
    List<LivePolicy> all = new ArrayList<>(ofEndpoints);
    all.addAll(ofPaths);
    PolicySettings.unknown(settings, all).forEach(this::of);
  }

  private void ofInventedKey(String place, LivePolicy each) {
    of(each.name() + " (" + place + ") " + inventedKey(each.by()));
  }

  private static String inventedKey(Collection<By> by) {
    if (by.contains(By.IP)) {
      return "counts each key of an address separately, so one address may try any number of keys,"
          + " such as accounts; add a policy by IP alone there";
    }
    return by.contains(By.USER)
        ? "counts each key of a user separately, so one user may try any number of keys; add"
            + " a policy"
            + " by USER alone there"
        : "counts by a key that callers can invent; add a policy by IP or USER there";
  }

  void ofUnreadable(Class<?> type, Throwable missing) {
    of(
        "The methods of "
            + type.getName()
            + " can't be read, so only the limits of the class and of URLs apply to them; add the"
            + " missing class: "
            + missing);
  }

  /** Reports settings that don't suit an endpoint which was read after they took effect. */
  void ofIgnored(String mistake) {
    if (logged.add(mistake)) {
      LOG.log(
          System.Logger.Level.ERROR,
          mistake
              + ". This setting was applied before the endpoint was read; until it is corrected,"
              + " the endpoint is limited as annotated (logged once)");
    }
  }

  void of(String warning) {
    if (logged.add(warning)) {
      LOG.log(System.Logger.Level.WARNING, warning);
    }
  }
}
