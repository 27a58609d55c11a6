package io.weir.rules.usage;

/**
 * What this node should have written since its start and didn't, or perhaps didn't: there was no
 * place for it, the database was away for too long, or it didn't answer whether it was written.
 *
 * @param requests requests that are missing in hours, days and totals
 * @param refusals refusals that are missing among the violations
 */
public record DroppedUsage(long requests, long refusals) {}
