package io.weir.internal.control.access;

import io.weir.internal.control.ControlSettings;
import io.weir.internal.control.resource.ControlRole;
import jakarta.ws.rs.core.SecurityContext;
import java.util.function.UnaryOperator;

/**
 * What the application calls the roles. Read with each request, so that the names follow the
 * settings. Safe for concurrent use.
 */
public final class RoleCheck {
  private final UnaryOperator<String> settings;

  /**
   * Reads the names whenever it is asked.
   *
   * @param settings the value of a setting by its name
   */
  public RoleCheck(UnaryOperator<String> settings) {
    this.settings = settings;
  }

  /**
   * Whether somebody may do what a role opens.
   *
   * @param needed the role
   * @param caller who it is
   * @return true if the application says that the caller has the role, or one that includes it
   */
  public boolean opens(ControlRole needed, SecurityContext caller) {
    return switch (needed) {
      case ADMIN -> has(ControlSettings.ADMIN_ROLE, caller);
      case CHECK ->
          has(ControlSettings.CHECK_ROLE, caller) || has(ControlSettings.ADMIN_ROLE, caller);
      case USER -> isUser(caller);
    };
  }

  private boolean has(String setting, SecurityContext caller) {
    String name = settings.apply(setting);
    return !name.isBlank() && caller.isUserInRole(name);
  }

  /** Without a name for it, whoever has the name of a user is one. */
  private boolean isUser(SecurityContext caller) {
    String role = settings.apply(ControlSettings.USER_ROLE);
    return CallerName.isUser(CallerName.name(caller)) && (role.isBlank() || caller.isUserInRole(role));
  }
}
