package io.weir.internal.rules.rulebook;

import io.weir.Policy;
import io.weir.PolicyMistake;
import io.weir.spi.SourceContext;
import java.util.Collection;
import java.util.List;

/**
 * What rules must know of the application that they limit.
 *
 * <p>Safe for concurrent use.
 */
public interface RulebookContext {
  /**
   * The time zone of calendar periods that name none.
   *
   * @return {@code UTC} unless set
   */
  String zone();

  /**
   * The policies of annotations and settings.
   *
   * @return as they are in force
   */
  Collection<Policy> boundPolicies();

  /**
   * The policies of annotations and settings that have a name, which several may share.
   *
   * @param name a policy's name
   * @return none if none has it
   */
  default List<Policy> boundPolicies(String name) {
    return boundPolicies().stream().filter(each -> each.name().equals(name)).toList();
  }

  /**
   * What the application can't do for a policy.
   *
   * @param policy a policy whose members go together
   * @return none if it can be applied
   */
  List<PolicyMistake> mistakes(Policy policy);

  /**
   * Whether callers may name themselves by a key, and so invent keys.
   *
   * @return true where {@code weir.rules.caller} is set
   */
  boolean hasKeys();

  /**
   * What requests of a method cost where neither a rule nor a row of costs says it.
   *
   * @param method in upper case
   * @return permits, 1 and more
   */
  long cost(String method);

  /**
   * Of an application that is running.
   *
   * @param application what a policy source may use of it
   * @return its settings and policies, read whenever they are asked for
   */
  static RulebookContext of(SourceContext application) {
    return new ApplicationRulebookContext(application);
  }

  /**
   * Where there is no application, as on the command line.
   *
   * @return UTC, no policies, and nothing that can't be done
   */
  static RulebookContext none() {
    return ApplicationRulebookContext.NONE;
  }
}
