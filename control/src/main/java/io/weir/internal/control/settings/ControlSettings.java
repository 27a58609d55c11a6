package io.weir.internal.control.settings;

import io.weir.internal.module.Setting;
import io.weir.internal.module.SettingList;
import io.weir.spi.ModuleSetting;
import io.weir.spi.ModuleSettings;
import java.util.List;

/** Defines the settings of the control API. Found by {@link java.util.ServiceLoader}. */
public final class ControlSettings implements ModuleSettings {
  private static final SettingList ALL = SettingList.ofModule();

  public static final Setting<String> ADMIN_ROLE =
      ALL.text("weir.control.role.admin", "weir-admin");

  public static final Setting<String> VIEW_ROLE = ALL.text("weir.control.role.view", "weir-view");

  public static final Setting<String> CHECK_ROLE =
      ALL.text("weir.control.role.check", "weir-check");

  /** The role of users; if it is empty, every authenticated caller is a user. */
  public static final Setting<String> USER_ROLE = ALL.text("weir.control.role.user");

  /** The tiers that users see and may ask for; if it is empty, all. */
  public static final Setting<String> TIERS = ALL.text("weir.control.tiers");

  public static final Setting<String> SIGN_IN = ALL.text("weir.control.sign-in");

  /** The origins of the console's pages; if it is empty, scheme and host of the request. */
  public static final Setting<String> ORIGIN = ALL.text("weir.control.origin");

  /** The hosts that accept cookies, besides loopback; if it is empty, all do. */
  public static final Setting<String> HOSTS = ALL.text("weir.control.hosts");

  /** The header in which gateways send the user; empty if they send none. */
  public static final Setting<String> FORWARD_USER = ALL.text("weir.control.forward.user");

  /** The header in which gateways send the caller's key; empty if they send none. */
  public static final Setting<String> FORWARD_KEY = ALL.text("weir.control.forward.key");

  public static final Setting<String> FORWARD_BY =
      ALL.word("weir.control.forward.by", "either", List.of("either", "forwarded", "original"));

  /** The address of the webhook; empty if there is none. */
  public static final Setting<String> NOTIFY_URL = ALL.text("weir.notify.url");

  public static final Setting<String> NOTIFY_SECRET = ALL.text("weir.notify.secret");

  public ControlSettings() {}

  @Override
  public List<ModuleSetting> settings() {
    return ALL.declarations();
  }
}
