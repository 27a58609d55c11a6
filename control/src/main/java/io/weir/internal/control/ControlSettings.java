package io.weir.internal.control;

import io.weir.spi.ModuleSetting;
import io.weir.spi.ModuleSettings;
import java.util.List;

/** The settings of the control API; found by {@link java.util.ServiceLoader}. */
public final class ControlSettings implements ModuleSettings {
  /** The role of administrators. */
  public static final String ADMIN_ROLE = "weir.control.role.admin";

  /** The role of programs that check. */
  public static final String CHECK_ROLE = "weir.control.role.check";

  /** The role of users; empty: whoever is signed in. */
  public static final String USER_ROLE = "weir.control.role.user";

  /** Where the pages come from; empty: scheme and host of the request. */
  public static final String ORIGIN = "weir.control.origin";

  /** The hosts that may be asked with a cookie, besides loopback; empty: all. */
  public static final String HOSTS = "weir.control.hosts";

  /** The header by which gateways name the user; empty: none. */
  public static final String FORWARD_USER = "weir.control.forward.user";

  /** The header by which gateways pass on the key; empty: none. */
  public static final String FORWARD_KEY = "weir.control.forward.key";

  /** Which headers a gateway describes requests by. */
  public static final String FORWARD_BY = "weir.control.forward.by";

  /** The address of the webhook; empty: none. */
  public static final String NOTIFY_URL = "weir.notify.url";

  /** What the webhook's requests are signed with. */
  public static final String NOTIFY_SECRET = "weir.notify.secret";

  private static final List<ModuleSetting> ALL =
      List.of(
          ModuleSetting.text(NOTIFY_URL, ""),
          ModuleSetting.text(NOTIFY_SECRET, ""),
          ModuleSetting.text(ADMIN_ROLE, "weir-admin"),
          ModuleSetting.text(CHECK_ROLE, "weir-check"),
          ModuleSetting.text(USER_ROLE, ""),
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
