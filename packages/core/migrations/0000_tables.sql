CREATE TABLE `dist_crawl_dead_urls` (
	`id` bigint unsigned AUTO_INCREMENT NOT NULL,
	`site` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
	`url_hash` binary(32) NOT NULL,
	`url` varchar(2048) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
	`kind` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
	`last_error` varchar(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci NOT NULL,
	`status` smallint unsigned,
	`failures` int unsigned NOT NULL,
	`first_failure` datetime(3) NOT NULL,
	`last_failure` datetime(3) NOT NULL,
	`source_node` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
	CONSTRAINT `dist_crawl_dead_urls_id` PRIMARY KEY(`id`),
	CONSTRAINT `dist_crawl_dead_urls_url` UNIQUE(`site`,`url_hash`)
);
--> statement-breakpoint
CREATE TABLE `dist_crawl_goods` (
	`id` bigint unsigned AUTO_INCREMENT NOT NULL,
	`site` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
	`goods_key` binary(32) NOT NULL,
	`goods_url` varchar(2048) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
	`goods_name` varchar(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci,
	`price` decimal(20,4),
	`currency` char(3) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
	`source_node` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
	`crawl_time` datetime(3) NOT NULL,
	`page_url` varchar(2048) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
	`attributes` json NOT NULL,
	`first_seen` datetime(3) NOT NULL,
	CONSTRAINT `dist_crawl_goods_id` PRIMARY KEY(`id`),
	CONSTRAINT `dist_crawl_goods_key` UNIQUE(`site`,`goods_key`)
);
--> statement-breakpoint
CREATE TABLE `dist_crawl_pages` (
	`id` bigint unsigned AUTO_INCREMENT NOT NULL,
	`site` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
	`url_hash` binary(32) NOT NULL,
	`url` varchar(2048) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
	`kind` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
	`outcome` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
	`status` smallint unsigned NOT NULL,
	`bytes` int unsigned NOT NULL,
	`rows_found` int unsigned NOT NULL,
	`content_hash` binary(32),
	`final_url` varchar(2048) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
	`final_url_hash` binary(32),
	`etag` varchar(512) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
	`last_modified` varchar(512) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
	`source_node` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
	`first_crawled` datetime(3) NOT NULL,
	`last_crawled` datetime(3) NOT NULL,
	`archived_month` char(7) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
	`archive_pending` boolean NOT NULL DEFAULT false,
	CONSTRAINT `dist_crawl_pages_id` PRIMARY KEY(`id`),
	CONSTRAINT `dist_crawl_pages_url` UNIQUE(`site`,`url_hash`)
);
--> statement-breakpoint
CREATE TABLE `dist_crawl_rejected_rows` (
	`id` bigint unsigned AUTO_INCREMENT NOT NULL,
	`site` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
	`page_url` varchar(2048) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
	`row_json` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
	`error_code` int unsigned NOT NULL,
	`reason` varchar(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci NOT NULL,
	`source_node` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
	`rejected_at` datetime(3) NOT NULL,
	CONSTRAINT `dist_crawl_rejected_rows_id` PRIMARY KEY(`id`)
);
--> statement-breakpoint
CREATE INDEX `dist_crawl_dead_urls_kind` ON `dist_crawl_dead_urls` (`site`,`kind`,`id`);--> statement-breakpoint
CREATE INDEX `dist_crawl_pages_final_url` ON `dist_crawl_pages` (`site`,`final_url_hash`);--> statement-breakpoint
CREATE INDEX `dist_crawl_pages_age` ON `dist_crawl_pages` (`site`,`archived_month`,`last_crawled`);--> statement-breakpoint
CREATE INDEX `dist_crawl_pages_pending` ON `dist_crawl_pages` (`site`,`archive_pending`,`id`);--> statement-breakpoint
CREATE INDEX `dist_crawl_rejected_rows_site` ON `dist_crawl_rejected_rows` (`site`,`id`);