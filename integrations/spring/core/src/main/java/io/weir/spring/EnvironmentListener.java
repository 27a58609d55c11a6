package io.weir.spring;

import io.weir.Weir;
import java.util.Set;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.core.ResolvableType;

/**
 * Reads the settings at once when Spring Cloud reports that the environment has changed, in place
 * of within seconds. Its events are known by name, since most applications don't have it.
 */
final class EnvironmentListener implements GenericApplicationListener {
  private static final Set<String> EVENTS =
      Set.of(
          "org.springframework.cloud.context.environment.EnvironmentChangeEvent",
          "org.springframework.cloud.context.scope.refresh.RefreshScopeRefreshedEvent");

  private final ObjectProvider<Weir> weir;

  EnvironmentListener(ObjectProvider<Weir> weir) {
    this.weir = weir;
  }

  @Override
  public boolean supportsEventType(ResolvableType type) {
    Class<?> event = type.resolve();
    return event != null && EVENTS.contains(event.getName());
  }

  @Override
  public void onApplicationEvent(ApplicationEvent event) {
    weir.ifAvailable(Weir::refresh);
  }
}
