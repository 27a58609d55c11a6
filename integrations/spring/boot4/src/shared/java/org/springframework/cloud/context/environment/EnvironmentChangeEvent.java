package org.springframework.cloud.context.environment;

import org.springframework.context.ApplicationEvent;

/** Stands for the event of Spring Cloud, which Weir knows by its name alone. */
public class EnvironmentChangeEvent extends ApplicationEvent {
  private static final long serialVersionUID = 1L;

  /**
   * Reports a change.
   *
   * @param source the application
   */
  public EnvironmentChangeEvent(Object source) {
    super(source);
  }
}
