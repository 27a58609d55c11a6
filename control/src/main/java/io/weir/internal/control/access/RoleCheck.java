package io.weir.internal.control.access;

import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.settings.ControlSettings;
import io.weir.internal.module.Setting;
import jakarta.ws.rs.core.SecurityContext;
import java.util.function.UnaryOperator;

/**
 * Checks which roles a caller has. Reads the names of the roles from the settings with each check.
 *
 * <p>Safe for concurrent use.
 */
public final class RoleCheck {
  private final UnaryOperator<String> settings;

  public RoleCheck(UnaryOperator<String> settings) {
    this.settings = settings;
  }

  /** Returns whether a caller has a role, or one that includes it. */
  public boolean hasRole(ControlRole needed, SecurityContext caller) {
    return switch (needed) {
      case ADMIN -> has(ControlSettings.ADMIN_ROLE, caller);
      case VIEW -> isAdminOr(ControlSettings.VIEW_ROLE, caller);
      case CHECK -> isAdminOr(ControlSettings.CHECK_ROLE, caller);
      case USER -> isUser(caller);
      case SIGNED_IN -> caller.getUserPrincipal() != null;
      case ANYONE -> true;
    };
  }

  private boolean isAdminOr(Setting<String> setting, SecurityContext caller) {
    return has(setting, caller) || has(ControlSettings.ADMIN_ROLE, caller);
  }

  private boolean has(Setting<String> setting, SecurityContext caller) {
    String name = setting.read(settings);
    return !name.isBlank() && caller.isUserInRole(name);
  }

  /** Without a role for users, every caller with the name of a user is one. */
  private boolean isUser(SecurityContext caller) {
    String role = ControlSettings.USER_ROLE.read(settings);
    return CallerName.isUser(CallerName.of(caller))
        && (role.isBlank() || caller.isUserInRole(role));
  }
}
