package io.weir.internal.rules.rulebook;

import io.weir.Policy;
import io.weir.PolicyMistake;
import io.weir.access.AccessSubject;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The application that rules limit, as far as they depend on it.
 *
 * <p>Safe for concurrent use.
 */
public interface RulebookContext {
  /** Returns the time zone of calendar periods without one; {@code UTC} unless set. */
  String zone();

  /** Returns the policies of annotations and settings, as they are in force. */
  Collection<Policy> boundPolicies();

  /** Returns the policies of annotations and settings that have a name, which several may share. */
  default List<Policy> boundPolicies(String name) {
    return boundPolicies().stream().filter(each -> each.name().equals(name)).toList();
  }

  /**
   * Finds what the application can't do for a policy.
   *
   * @param policy a policy whose members go together
   * @return none if it can be applied
   */
  List<PolicyMistake> mistakes(Policy policy);

  /**
   * Finds the rule of the application that the subject of an entry of the access list breaks.
   *
   * @return empty if entries may have it
   */
  default Optional<String> mistake(AccessSubject subject) {
    return Optional.empty();
  }

  /** Returns whether a condition of the application needs the user; true if it isn't known. */
  boolean conditionNeedsUser(String condition);

  /**
   * Returns whether callers may name themselves by a key, and so invent keys.
   *
   * @return true where {@code weir.rules.caller} is set
   */
  boolean hasKeys();

  /**
   * Returns the cost of requests of a method where neither a rule nor a row of costs has one.
   *
   * @param method in upper case
   * @return permits, 1 and more
   */
  long cost(String method);

  /** No application, as on the command line: UTC, no policies, and every policy can be applied. */
  RulebookContext NONE =
      new RulebookContext() {
        @Override
        public String zone() {
          return "UTC";
        }

        @Override
        public Collection<Policy> boundPolicies() {
          return List.of();
        }

        @Override
        public List<PolicyMistake> mistakes(Policy policy) {
          return List.of();
        }

        @Override
        public boolean conditionNeedsUser(String condition) {
          return true;
        }

        @Override
        public boolean hasKeys() {
          return false;
        }

        @Override
        public long cost(String method) {
          return 1;
        }
      };
}
