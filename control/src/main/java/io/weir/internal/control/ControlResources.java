package io.weir.internal.control;

import io.weir.Ticker;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.control.access.RoleCheck;
import io.weir.internal.control.admin.access.AccessListResource;
import io.weir.internal.control.admin.callers.CallerBucketsResource;
import io.weir.internal.control.admin.changes.HistoryResource;
import io.weir.internal.control.admin.outcomes.OutcomesResource;
import io.weir.internal.control.admin.policies.PoliciesResource;
import io.weir.internal.control.admin.policies.SwitchesResource;
import io.weir.internal.control.admin.records.RecordsResource;
import io.weir.internal.control.admin.records.UsageResource;
import io.weir.internal.control.admin.records.UserUsageResource;
import io.weir.internal.control.admin.records.WhatIfResource;
import io.weir.internal.control.admin.regions.RegionsResource;
import io.weir.internal.control.admin.rules.CostsResource;
import io.weir.internal.control.admin.rules.RulebookResource;
import io.weir.internal.control.admin.rules.RulesResource;
import io.weir.internal.control.admin.upgrades.UpgradesResource;
import io.weir.internal.control.admin.users.UserAccountResource;
import io.weir.internal.control.admin.users.UserListResource;
import io.weir.internal.control.admin.users.UserResource;
import io.weir.internal.control.admin.users.UsersResource;
import io.weir.internal.control.console.ConsoleResource;
import io.weir.internal.control.dashboard.DashboardResource;
import io.weir.internal.control.decide.AccessReader;
import io.weir.internal.control.decide.CallerBucketFinder;
import io.weir.internal.control.decide.RegionsReader;
import io.weir.internal.control.decide.RequestDecider;
import io.weir.internal.control.decide.RequestExplainer;
import io.weir.internal.control.decide.UserStatusReader;
import io.weir.internal.control.events.EventHub;
import io.weir.internal.control.events.EventsResource;
import io.weir.internal.control.events.TierUpgradeRequestLog;
import io.weir.internal.control.events.Webhook;
import io.weir.internal.control.openapi.OpenApiResource;
import io.weir.internal.control.rest.DecisionResource;
import io.weir.internal.control.rest.ForwardResource;
import io.weir.internal.control.session.SessionResource;
import io.weir.rules.Rules;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.BooleanSupplier;

/** Makes the resources of the feature. */
final class ControlResources {
  /**
   * The events of each application, of which its rules keep hold. An application may mount the API
   * several times, or anew: all mounts have the same readers, and nothing is notified twice.
   */
  private static final Map<WeirRuntime, WeakReference<EventHub>> HUBS = new WeakHashMap<>();

  private final WeirRuntime weir;
  private final Rules rules;
  private final BooleanSupplier isOpen;
  private final Ticker ticker;

  /** Ends the streams of events once {@code isOpen} is false. */
  ControlResources(WeirRuntime weir, Rules rules, BooleanSupplier isOpen, Ticker ticker) {
    this.weir = weir;
    this.rules = rules;
    this.isOpen = isOpen;
    this.ticker = ticker;
  }

  /**
   * Makes each resource once, and starts webhook and log with the first mount; all are safe for
   * concurrent use.
   */
  List<Object> all() {
    RequestDecider decider = RequestDecider.of(weir);
    AccessReader access = AccessReader.of(weir);
    UserStatusReader statuses = new UserStatusReader(decider, access, rules, ticker);
    List<Object> all = new ArrayList<>();
    all.add(new DecisionResource(decider, new RequestExplainer(weir, decider, rules), statuses));
    all.add(new ForwardResource(weir));
    all.add(new DashboardResource(rules, statuses, weir::setting, ticker));
    all.addAll(administration(new CallerBucketFinder(decider, access, rules)));
    all.addAll(usage());
    all.add(events());
    all.add(new SessionResource(weir::setting));
    all.add(new ConsoleResource(weir::setting));
    all.add(new OpenApiResource());
    return List.copyOf(all);
  }

  private List<Object> administration(CallerBucketFinder buckets) {
    return List.of(
        new RulesResource(rules.rules()),
        new RulebookResource(rules.rules(), rules.yaml()),
        new PoliciesResource(rules),
        new CostsResource(rules.costs()),
        new SwitchesResource(rules.switches()),
        new AccessListResource(rules.accessEntries()),
        new UserListResource(rules.users()),
        new UsersResource(rules),
        new UserResource(rules),
        new CallerBucketsResource(rules, buckets, RegionsReader.of(weir), ticker),
        new UpgradesResource(rules.upgrades()),
        new HistoryResource(rules.history()),
        new RecordsResource(rules, ticker),
        new RegionsResource(weir::regions),
        new OutcomesResource(rules.outcomes(), hub().recentOutcomes(), ticker));
  }

  private List<Object> usage() {
    return List.of(
        new UsageResource(rules.usage(), ticker),
        new UserUsageResource(rules.usage(), ticker),
        new WhatIfResource(rules.whatIf()),
        new UserAccountResource(rules, ticker));
  }

  private EventsResource events() {
    return new EventsResource(hub(), isOpen, new RoleCheck(weir::setting), ticker);
  }

  private EventHub hub() {
    synchronized (HUBS) {
      WeakReference<EventHub> known = HUBS.get(weir);
      EventHub shared = known == null ? null : known.get();
      if (shared != null && shared.isOf(rules)) {
        return shared;
      }
      EventHub hub = new EventHub(rules, weir::isStoreAway, weir::regions, ticker);
      Webhook.start(weir::setting, hub, rules::isOnDuty, weir::isOpen, ticker);
      TierUpgradeRequestLog.start(hub, rules::isOnDuty);
      HUBS.put(weir, new WeakReference<>(hub));
      return hub;
    }
  }

  static List<Class<?>> types(List<Object> resources) {
    List<Class<?>> types = new ArrayList<>();
    for (Object each : resources) {
      types.add(each.getClass());
    }
    return types;
  }
}
