package io.weir.internal.control.settings;

import io.weir.spi.ModuleSetting;
import io.weir.spi.ModuleSettings;
import java.util.List;

/** Defines the settings of the control API. Found by {@link java.util.ServiceLoader}. */
public final class ControlSettings implements ModuleSettings {
  /** The role of administrators. */
  public static final String ADMIN_ROLE = "weir.control.role.admin";

  /** The role of viewers, who see all and change nothing. */
  public static final String VIEW_ROLE = "weir.control.role.view";

  /** The role of programs that check requests. */
  public static final String CHECK_ROLE = "weir.control.role.check";

  /** The role of users; if it is empty, every authenticated caller is a user. */
  public static final String USER_ROLE = "weir.control.role.user";

  /** The tiers that users see and may ask for; if it is empty, all. */
  public static final String TIERS = "weir.control.tiers";

  /** The application's page for signing in; empty if there is none. */
  public static final String SIGN_IN = "weir.control.sign-in";

  /** The origins of the console's pages; if it is empty, scheme and host of the request. */
  public static final String ORIGIN = "weir.control.origin";

  /** The hosts that accept cookies, besides loopback; if it is empty, all do. */
  public static final String HOSTS = "weir.control.hosts";

  /** The header in which gateways send the user; empty if they send none. */
  public static final String FORWARD_USER = "weir.control.forward.user";

  /** The header in which gateways send the caller's key; empty if they send none. */
  public static final String FORWARD_KEY = "weir.control.forward.key";

  /** The headers with which gateways describe requests. */
  public static final String FORWARD_BY = "weir.control.forward.by";

  /** The address of the webhook; empty if there is none. */
  public static final String NOTIFY_URL = "weir.notify.url";

  /** The secret that signs the webhook's requests. */
  public static final String NOTIFY_SECRET = "weir.notify.secret";

  private static final List<ModuleSetting> ALL =
      List.of(
          ModuleSetting.text(NOTIFY_URL, ""),
          ModuleSetting.text(NOTIFY_SECRET, ""),
          ModuleSetting.text(ADMIN_ROLE, "weir-admin"),
          ModuleSetting.text(VIEW_ROLE, "weir-view"),
          ModuleSetting.text(CHECK_ROLE, "weir-check"),
          ModuleSetting.text(USER_ROLE, ""),
          ModuleSetting.text(TIERS, ""),
          ModuleSetting.text(SIGN_IN, ""),
          ModuleSetting.text(ORIGIN, ""),
          ModuleSetting.text(HOSTS, ""),
          ModuleSetting.text(FORWARD_USER, ""),
          ModuleSetting.text(FORWARD_KEY, ""),
          ModuleSetting.word(FORWARD_BY, "either", List.of("either", "forwarded", "original")));

  /** Made by {@link java.util.ServiceLoader}. */
  public ControlSettings() {}

  @Override
  public List<ModuleSetting> settings() {
    return ALL;
  }
}
