package io.weir.internal.policy;

import io.weir.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Collects what is wrong at an endpoint that is read: in what is annotated, and in settings that
 * don't suit it.
 *
 * <p>At the start of an application both stop it. Later a request waits for the endpoint, and the
 * settings were accepted before it was known: then what they say of its policies is ignored.
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

  /** Of an endpoint that is read at the start. */
  static BindingMistakes atStart() {
    return new BindingMistakes(false, policy -> List.of());
  }

  /**
   * Of an endpoint that a request asks for first.
   *
   * @param misfits what is wrong with a policy for the endpoint's parameters, for people
   */
  static BindingMistakes atRequest(Function<Policy, List<String>> misfits) {
    return new BindingMistakes(true, misfits);
  }

  /** Whether mistakes of settings are ignored. */
  @SuppressWarnings("ReferenceEquality") // one list or two
  boolean ignoresSettings() {
    return ofSettings != fatal;
  }

  /** The mistakes that prevent the endpoint from being bound. */
  List<String> fatal() {
    return fatal;
  }

  /** The mistakes in settings; all of them are fatal unless some are ignored. */
  List<String> ofSettings() {
    return ofSettings;
  }

  /** Finds the mistakes of a policy in regard to the endpoint's parameters. */
  List<String> misfits(Policy policy) {
    return misfits.apply(policy);
  }
}
