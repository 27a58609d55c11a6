package io.weir.internal.policy;

import io.weir.annotation.By;
import io.weir.internal.key.KeySyntax;
import io.weir.internal.settings.Settings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Warns of what is odd about policies but no mistake, each once.
 *
 * <p>Confine to one thread at a time: the catalog's lock.
 */
final class PolicyWarningLog {
  private static final System.Logger LOG = System.getLogger("io.weir.internal.policy");

  private final Set<String> said = new HashSet<>();

  /**
   * Callers can invent keys, and so have as many buckets as they like, unless another policy counts
   * them too.
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

  /** The same for policies by URL: those count together whose patterns overlap. */
  void ofInventedKeys(UrlPolicies urls) {
    for (LivePolicy each : urls.all()) {
      List<LivePolicy> together = urls.covering(each);
      if (together.stream().allMatch(PolicyWarningLog::isInvented)) {
        ofInventedKey(each.describe(), each);
      }
    }
  }

  /**
   * Whoever writes CRITICAL may not know what else holds there.
   *
   * @param bound the policies of the place
   * @param together all that hold there
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
                          + ") is CRITICAL, but under load the strictest decides, and there holds "
                          + names
                          + " too"));
    }
  }

  /**
   * Whether callers can have any number of keys: a fixed number of parts are no more than these.
   */
  private static boolean isInvented(LivePolicy bound) {
    return bound.by().contains(By.KEY) && !bound.keys().stream().allMatch(KeySyntax::isSharded);
  }

  /** Settings may name policies that don't exist. */
  void ofUnknown(
      Settings settings, Collection<LivePolicy> ofEndpoints, Collection<LivePolicy> ofPaths) {
    List<LivePolicy> all = new ArrayList<>(ofEndpoints);
    all.addAll(ofPaths);
    PolicySettings.unknown(settings, all).forEach(this::of);
  }

  private void ofInventedKey(String place, LivePolicy each) {
    of(
        each.name()
            + " ("
            + place
            + ") counts by a key that callers can invent; add a policy by IP or USER there");
  }

  /** The annotations of its methods can't be read. */
  void ofUnreadable(Class<?> type, Throwable missing) {
    of(
        type.getName()
            + " can't be read, so that its methods have no limits of their own, only its class's"
            + " and those of URLs: "
            + missing);
  }

  /** Settings that don't suit an endpoint which was read after they took effect. */
  void ofIgnored(String mistake) {
    if (said.add(mistake)) {
      LOG.log(
          System.Logger.Level.ERROR,
          mistake
              + ". This setting was in force before the endpoint was read: until it is mended, the"
              + " endpoint is limited as annotated (logged once)");
    }
  }

  void of(String warning) {
    if (said.add(warning)) {
      LOG.log(System.Logger.Level.WARNING, warning);
    }
  }
}
