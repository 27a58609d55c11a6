package io.weir.compat.servlet;

/** Everything that a servlet container must show. */
public interface ServletContract
    extends ServletWireContract,
        ServletRefusalContract,
        ServletMembersContract,
        ServletPhasesContract,
        ServletPolicySourceContract,
        ServletCompletedContract,
        ServletCostContract,
        ServletDispatchContract,
        ServletDispatchedLimitsContract,
        ServletFinalChargesContract,
        ServletMappingContract,
        ServletGarbageContract,
        ServletSpellingsContract,
        ServletAttackContract,
        ServletSetupContract {}
