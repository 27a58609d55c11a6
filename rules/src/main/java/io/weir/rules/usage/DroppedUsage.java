package io.weir.rules.usage;

/**
 * Counts usage since the start of this node that isn't written, or may not be: memory was full, the
 * database was unavailable for too long, or the result of a commit is unknown.
 *
 * @param requests requests that are missing in hours, days and totals
 * @param refusals refusals that are missing among the violations
 */
public record DroppedUsage(long requests, long refusals) {}
