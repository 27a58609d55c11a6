package io.weir.internal.application;

import io.weir.internal.extension.WeirServiceLoader;
import io.weir.spi.PolicySource;
import io.weir.spi.PolicySourceProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Finds the policy source by {@code ServiceLoader}: a {@link PolicySource} itself, else the one
 * that a {@link PolicySourceProvider} makes because a setting asks for it. There may be one of each
 * kind.
 */
final class PolicySourceLoader {
  private PolicySourceLoader() {}

  /**
   * Finds the source.
   *
   * @param given the only provider to ask if there is one
   */
  static Optional<PolicySource> find(
      ClassLoader loader, UnaryOperator<String> setting, Optional<PolicySourceProvider> given) {
    List<PolicySource> found = WeirServiceLoader.load(PolicySource.class, loader);
    if (!found.isEmpty()) {
      return only(found);
    }
    return given.isPresent() ? given.get().open(setting) : opened(loader, setting);
  }

  private static Optional<PolicySource> opened(ClassLoader loader, UnaryOperator<String> setting) {
    List<PolicySource> opened = new ArrayList<>();
    try {
      for (PolicySourceProvider each : WeirServiceLoader.load(PolicySourceProvider.class, loader)) {
        each.open(setting).ifPresent(opened::add);
      }
      return only(opened);
    } catch (RuntimeException | Error mistake) {
      opened.forEach(PolicySource::close);
      throw mistake;
    }
  }

  private static Optional<PolicySource> only(List<PolicySource> found) {
    if (found.size() > 1) {
      List<String> names = found.stream().map(each -> each.getClass().getName()).sorted().toList();
      throw new IllegalStateException(
          "an application may have at most one PolicySource, but these were found: "
              + String.join(", ", names));
    }
    return found.stream().findFirst();
  }
}
