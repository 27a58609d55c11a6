package io.weir.internal.policy;

import io.weir.internal.policy.draft.ApplicationCapabilities;
import io.weir.store.PermitStore;
import java.util.Set;

/**
 * The names of what an application has brought for its policies.
 *
 * <p>Immutable.
 *
 * @param keyResolvers those of its {@code KeyResolver}s
 * @param costResolvers those of its {@code CostResolver}s
 * @param conditions those of its {@code RequestCondition}s
 */
public record ExtensionNames(
    Set<String> keyResolvers, Set<String> costResolvers, Set<String> conditions) {
  /**
   * Takes them as they are.
   *
   * @param keyResolvers see the record
   * @param costResolvers see the record
   * @param conditions see the record
   */
  public ExtensionNames {
    keyResolvers = Set.copyOf(keyResolvers);
    costResolvers = Set.copyOf(costResolvers);
    conditions = Set.copyOf(conditions);
  }

  /**
   * What the application can do for its policies.
   *
   * @param store what must count their buckets
   * @param storeName how messages call the store
   */
  ApplicationCapabilities with(PermitStore store, String storeName) {
    return new ApplicationCapabilities(
        keyResolvers, costResolvers, conditions, store.algorithms(), store::counts, storeName);
  }
}
