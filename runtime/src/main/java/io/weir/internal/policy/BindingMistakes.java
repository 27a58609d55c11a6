package io.weir.internal.policy;

import io.weir.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Collects the mistakes found at an endpoint: in its annotations, and in settings that don't suit
 * it.
 *
 * <p>At the start of an application both stop it. Later a request waits for the endpoint, and the
 * settings were accepted before the endpoint was known: then their mistakes are ignored.
 *
 * <p>Confine to one thread.
 */
final class BindingMistakes {
  private final List<String> fatal = new ArrayList<>();
  private final List<String> ofSettings;
  private final Function<Policy, List<String>> misfits;

  private BindingMistakes(boolean ignoresSettings, Function<Policy, List<String>> misfits) {
    this.ofSettings = ignoresSettings ? new ArrayList<>() : fatal;
    this.misfits = misfits;
  }

  static BindingMistakes atStart() {
    return new BindingMistakes(false, policy -> List.of());
  }

  /**
   * Makes a collector for an endpoint that is first needed by a request.
   *
   * @param misfits finds the mistakes of a policy in regard to the endpoint's parameters
   */
  static BindingMistakes atRequest(Function<Policy, List<String>> misfits) {
    return new BindingMistakes(true, misfits);
  }

  @SuppressWarnings("ReferenceEquality") // one list or two
  boolean ignoresSettings() {
    return ofSettings != fatal;
  }

  /** Returns the mistakes that prevent the endpoint from being bound. */
  List<String> fatal() {
    return fatal;
  }

  /** Returns the mistakes in settings; the same list as the fatal ones unless they are ignored. */
  List<String> ofSettings() {
    return ofSettings;
  }

  List<String> misfits(Policy policy) {
    return misfits.apply(policy);
  }
}
