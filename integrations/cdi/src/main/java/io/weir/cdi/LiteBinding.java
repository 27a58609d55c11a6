package io.weir.cdi;

import jakarta.enterprise.inject.build.compatible.spi.BuildCompatibleExtension;
import jakarta.enterprise.inject.build.compatible.spi.ClassConfig;
import jakarta.enterprise.inject.build.compatible.spi.Enhancement;
import jakarta.enterprise.inject.build.compatible.spi.Messages;
import jakarta.enterprise.inject.build.compatible.spi.SkipIfPortableExtensionPresent;
import java.util.HashMap;
import java.util.Map;

/**
 * Binds the interceptor where the container has no portable extensions, as Quarkus' ArC. There it
 * costs nothing to ask for all classes.
 *
 * <p>Found as a service.
 */
@SkipIfPortableExtensionPresent(LimitedClassMarker.class)
public final class LiteBinding implements BuildCompatibleExtension {
  private final Map<String, Boolean> marked = new HashMap<>();

  /** Called by the container. */
  public LiteBinding() {}

  /**
   * Binds the interceptor to the limited methods of a class.
   *
   * @param type a class, which may become a bean
   * @param messages shows which container this is
   */
  @Enhancement(types = Object.class, withSubtypes = true)
  public void bind(ClassConfig type, Messages messages) {
    if (LimitedClass.mayLimit(type.info(), marked)) {
      RateLimitExtension.bindMethods(type, Container.of(messages));
    }
  }
}
