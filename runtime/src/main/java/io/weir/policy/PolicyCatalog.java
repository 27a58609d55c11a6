package io.weir.policy;

import io.weir.settings.LiveSettings;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * All policies of an application: what annotations and settings say, validated.
 *
 * <p>Safe for concurrent use.
 */
public final class PolicyCatalog {
  /**
   * Starts an empty catalog that follows the settings.
   *
   * @param settings overrides, defaults and policies by URL
   * @param resolverNames the names of the registered {@code KeyResolver}s
   * @throws IllegalArgumentException if the settings hold an unusable policy
   */
  public PolicyCatalog(LiveSettings settings, Set<String> resolverNames) {}

  /**
   * The policies of a method, its own, inherited, its class's or the default.
   *
   * @param type the class that serves
   * @param method the method that answers
   * @param site what kind of endpoint it is
   * @return all that must admit; the same objects whenever it is asked
   * @throws InvalidPolicyException if there are mistakes
   */
  public List<BoundPolicy> of(Class<?> type, Method method, Site site) {
    return List.of();
  }

  /**
   * The policies of a class that answers by no method of its own.
   *
   * @param type the class that serves
   * @param site what kind of endpoint it is
   * @return all that must admit; the same objects whenever it is asked
   * @throws InvalidPolicyException if there are mistakes
   */
  public List<BoundPolicy> of(Class<?> type, Site site) {
    return List.of();
  }

  /**
   * The policies that the settings give a URL pattern ({@code weir.policy.<name>.url}).
   *
   * @param path the decoded path within the application, beginning with {@code /}
   * @return those of all patterns that match; follows the settings
   */
  public List<BoundPolicy> byPath(String path) {
    return List.of();
  }

  /**
   * Reads and validates all endpoints of some classes.
   *
   * @param types the classes that serve
   * @param site what kind of endpoints they have
   * @throws InvalidPolicyException if there are mistakes, all of them in one message
   */
  public void check(Collection<Class<?>> types, Site site) {}

  /**
   * What applies where, for people.
   *
   * @return a table of several lines
   */
  public String table() {
    return "";
  }
}
